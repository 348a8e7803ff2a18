// Texts of brokers by moment of the story, and of the assistant that hands leads over.

export const BROKER_MESSAGES = {
  reply: [
    '{ola}{,nome}! Aqui é {art_corretor} {corretor}, {profissao} {do} {dev}. {a}|{sondagem}',
    '{ola}{,nome}, tudo bem? [Que bom receber seu contato!;Obrigad{o} pelo contato!]|{a}|{sondagem}',
    '{ola}{,nome}! {a} {sondagem}',
    '{ola}{,nome}! [Tudo bem?;Tudo certo?] {a} {sondagem}',
    '{ola}{,nome}! {corretor} aqui. {a}|{sondagem}',
  ],
  takeOver: [
    '{ola}{,nome}! Aqui é {art_corretor} {corretor}. A {assistente} me passou sua conversa. {a}|[Quer que eu mande uma simulação?;Já conhece a região?]',
    '{ola}{,nome}, {corretor} falando. Vi aqui que você procura {quartos}. {a}',
    '{ola}{,nome}! Sou {art_corretor} {corretor}, {profissao} {do} {dev}. {a}',
  ],
  formFirst: [
    '{ola}{,nome}! [Recebi seu cadastro;Vi que você pediu informações] sobre {art} {dev}. Aqui é {art_corretor} {corretor}. [Como posso ajudar?;Qual o melhor horário para falar?;Prefere por mensagem ou ligação?]',
    '{ola}{,nome}, tudo bem? Sou {art_corretor} {corretor}, {profissao} {do} {dev}. [Recebi seu contato agora há pouco.;Chegou aqui o seu pedido de informações.] [Como posso ajudar?;O que gostaria de saber?]',
  ],
  answer: [
    '{a}',
    '{a}',
    '[Boa pergunta!;Só um minuto.;Deixa eu ver aqui.]|{a}',
    '{a}|[Mais alguma dúvida?;Ajudou?;Quer que eu mande uma simulação?]',
  ],
  invite: [
    '[Que tal conhecer o decorado?;Quer vir conhecer?;Vamos marcar uma visita?] Consigo te receber {dia}, às {hora}[ ou às {hora2};].',
    'Vale a pena ver de perto{,nome}. Tenho horário {dia}, às {hora}[ e às {hora2};]. [Consegue?;Pode ser?;Dá para você?]',
  ],
  confirm: [
    '[Combinado;Perfeito;Fechado], te espero no estande às {hora}.',
    'Combinado{,nome}! {dia_cap} às {hora}. O estande fica {lugar}.',
    'Marcado! [Qualquer imprevisto, me avisa.;Tem estacionamento no local.] Te espero {dia} às {hora}.',
  ],
  remind: [
    '{ola}{,nome}! [Confirmando;Passando para confirmar] nossa visita hoje às {hora}.',
    '{ola}{,nome}! [Tudo certo para hoje;Confirmada a visita de hoje], às {hora}?',
  ],
  afterVisit: [
    '[Obrigad{o} pela visita;Foi ótimo te receber][ hoje;]{,nome}! O que achou [da vista;do decorado;da planta]?',
    '{nome_ou_oi}, [o que achou do apartamento?;deu para conhecer tudo?;ficou alguma dúvida da visita?]',
  ],
  reschedule: [
    'Sem problema{,nome}! [Me diz o melhor dia.;Que tal no fim de semana?;Remarcamos quando você puder.]',
    '[Imagina;Tranquilo]{,nome}! [Fico à disposição.;Me chama quando der.]',
  ],
  proposal: [
    '[Montei a proposta;Segue a proposta]: {quartos}, {metros}, {preco}, entrada de {entrada} e parcelas de {parcela}. [Vale por 7 dias.;A validade é de 7 dias.]',
    'Ficou assim{,nome}: {preco}, com {entrada} de entrada e o saldo financiado, parcela perto de {parcela}.',
  ],
  concede: [
    '[Levei para a diretoria;Falei com a construtora] e conseguimos {contra}.',
    '[Consigo incluir a documentação sem custo.;Consigo esticar o prazo, a parcela cai bem.;Consigo diluir a entrada em mais seis vezes.]',
    'Vou levar sua proposta hoje{,nome}. [Te dou retorno até amanhã.;Acho que conseguimos.]',
  ],
  askDocuments: [
    'Para [adiantar a análise;montar o processo], preciso de RG, CPF, comprovante de renda e de residência.',
    'Pode me enviar RG, CPF, os três últimos holerites e o comprovante de residência? [Já adianto a análise.;]',
  ],
  received: [
    '[Recebi;Chegou tudo], obrigad{o}! [Já mandei para análise.;O banco responde em até cinco dias.;Te aviso assim que sair.]',
  ],
  celebrate: [
    '[Que notícia boa;Excelente;Maravilha]{,nome}! [Vou reservar a unidade.;Já peço o contrato.;Vou pedir a minuta do contrato.]',
  ],
  contract: [
    'O contrato ficou pronto{,nome}! [Dá para assinar pelo celular.;A assinatura é digital, chega no seu e-mail.]',
  ],
  congratulate: [
    'Parabéns{,nome}! [Foi um prazer te atender.;Que seja uma casa muito feliz.;Você fez uma ótima escolha.]',
    '[Parabéns pela conquista;Que alegria]{,nome}! [Conta comigo até a entrega das chaves.;Qualquer dúvida, estou aqui.]',
  ],
  saleAnswer: [
    '[Assim que marcarem, te aviso.;A construtora manda o calendário por e-mail.;Falo com o pós-venda e te retorno.]',
  ],
  firstFollowUp: [
    '{ola}{,nome}! [Conseguiu pensar;Conseguiu conversar em casa] sobre {art} {dev}?',
    '{ola}{,nome}, tudo bem? [Ficou alguma dúvida?;Posso ajudar em mais alguma coisa?;Quer que eu simule outra condição?]',
  ],
  secondFollowUp: [
    '{ola}{,nome}! [Ainda está procurando?;Ainda faz sentido para você?] [Saiu tabela nova.;Abriu uma condição melhor na entrada.;]',
    '{ola}{,nome}! [Temos plantão no sábado;O decorado ficou pronto], quer vir conhecer?',
  ],
  farewell: [
    '{ola}{,nome}, vou deixar seu contato guardado. [Quando quiser retomar, é só chamar.;Se precisar, estou por aqui.]',
  ],
  letGo: [
    'Entendo{,nome}, sem problema! [Se surgir algo na sua faixa, te aviso.;Fico à disposição.;Obrigad{o} pelo retorno.]',
    '[Claro;Imagina]{,nome}! [Quando quiser, me chama.;Sucesso na sua busca!]',
  ],
  apologize: [
    '[Sem problema, desculpe o incômodo!;Tudo bem, obrigad{o} por avisar.;Imagina! Um bom dia para você.]',
  ],
} satisfies Record<string, readonly string[]>

export const ASSISTANT_MESSAGES = {
  agentHello: [
    '[Olá;Oi]! Eu sou a {assistente}, assistente virtual {do} {dev}. [Com quem eu falo?;Qual o seu nome?]',
  ],
  agentMoveIn: ['[Prazer;Que bom te conhecer], {nome}! É para morar ou para investir?'],
  agentSize: ['[Ótimo!;Certo.;Entendi.] Quantos quartos você procura?'],
  agentHandover: [
    '[Perfeito;Combinado;Obrigada], {nome}. Vou te passar para {art_corretor} {corretor}, que continua por aqui e já responde sua pergunta. 😊',
  ],
} satisfies Record<string, readonly string[]>

/** Brokers' questions back. */
export const PROBES: readonly string[] = [
  'É para morar ou investir?',
  'Você procura para morar ou para investir?',
  'Está procurando para morar ou como investimento?',
]
