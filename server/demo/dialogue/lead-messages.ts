// Texts of leads besides their questions, by moment of the story.

export const LEAD_MESSAGES = {
  open: [
    '{ola}! [Vi o anúncio;Vi uma foto;Vi uma publicação] {do} {dev} {onde}[ e gostei; e achei bonito;]. {q}',
    '{ola}, tudo bem? [Queria;Gostaria de] [saber mais;ter mais informações;entender melhor] sobre {art} {dev}. {q}',
    '{ola}! {q}',
    '{ola}! Estou procurando [apartamento;um apê;imóvel] e vi {art} {dev} {onde}. {q}',
    '{ola}, {corretor}! {q}',
    '{ola}!|Tenho interesse {no} {dev}.|{q}',
    '{ola}, [vim;estou falando] por causa {do} {dev}.|{q}',
    '{ola}! É sobre {art} {dev}, que vi {onde}. {q}',
  ],
  insist: [
    '[Conseguiu ver minha mensagem?;Alguém pode me atender?;Oi? Ainda está disponível?;Tem alguém aí?]',
    '{ola}, [ainda aguardo um retorno;fiquei sem resposta;pode me responder quando puder?]',
    '[Ainda tenho interesse, tá?;Se puder, me chama hoje.;Prefere que eu ligue?]',
  ],
  formReply: [
    '{ola}! [Isso, fui eu que pedi.;Sim, me cadastrei no site.;Isso mesmo.] {q}',
    '{ola}, [pode ser por aqui mesmo.;prefiro por mensagem.;estou trabalhando, vamos por aqui.] {q}',
  ],
  ask: [
    '{q}',
    '{q}',
    '[Entendi.;Ah, ótimo.;Legal.;Show!;Perfeito.;Boa!] {q}',
    '[Certo.;Bom saber.;Que bom.]|{q}',
    '[Mais uma coisa;Outra dúvida;Mais uma dúvida].|{q}',
  ],
  purpose: [
    '[É para morar mesmo.;Para morar, eu e {parente}.;Para morar, seria nosso primeiro apartamento.]',
    '[Para investir, por enquanto.;Para investir, penso em alugar.;Para minha mãe morar perto de mim.]',
    'Para morar. [Somos três, com um bebê.;Somos quatro e um cachorro.;Vou morar sozinh{o}.;Já trabalho aqui perto.]',
  ],
  thinking: [
    'Obrigad{o}! Vou conversar com {parente} e te retorno.',
    '[Entendi;Certo], obrigad{o}. [Vou pensar e te falo.;Deixa eu ver com calma.;Te aviso essa semana.]',
    '[Perfeito;Ótimo], obrigad{o}! [Assim que decidir, te chamo.;Qualquer coisa eu volto a falar.]',
    '[Deixa eu fazer umas contas;Vou ver com o banco] e te aviso.',
  ],
  accept: [
    '[Pode ser;Consigo] {dia} às {hora}.',
    '{hora} está ótimo para mim.',
    'Consigo, sim. [Posso levar {parente}?;Tem estacionamento?;]',
    '[Fechado;Combinado;Perfeito], {dia} às {hora}.',
  ],
  onTheWay: [
    '[Confirmado!;Confirmado, {parente} vai junto.;Certo, até já.;Estou a caminho.]',
    '[Pode esperar, vou sim.;Chego uns dez minutinhos depois.;Tudo certo, até já!]',
  ],
  noShow: [
    '[Surgiu um imprevisto hoje;Não vou conseguir hoje, desculpa]. [Podemos remarcar?;Remarcamos para outro dia?]',
    '[Meu filho adoeceu;Vou ter que trabalhar], não consigo ir hoje.',
  ],
  liked: [
    '[Adorei;Amamos] [o decorado;a vista;a varanda;o espaço]! [Agora é ver o financiamento.;Só preciso ver se cabe no orçamento.;Quais são as condições?]',
    'Gostei muito [do decorado;da vista;da varanda;do espaço]! [Como ficaria para nós?;Pode simular com a minha renda?]',
    '[Gostei bastante.;Superou o que eu esperava.;{parente_cap} adorou.] [Pode montar uma proposta?;Me passa as condições?]',
  ],
  hesitate: [
    '[Gostei, mas achei a sala pequena.;O prédio é lindo, mas a rua é movimentada.;Gostei, só que ficou longe do meu trabalho.]',
    'Bonito, mas [ainda vou ver outros dois.;preciso pensar melhor.;{parente} não gostou da planta.]',
  ],
  counter: [
    '[Consegue melhorar um pouco o valor?;Tem algum desconto à vista?;A entrada ficou alta, dá para diluir?]',
    'Se fechar em {contra} eu [assino essa semana;fecho hoje].',
    'A parcela ficou [pesada;um pouco alta]. [Dá para esticar o prazo?;E se eu der mais de entrada?]',
    'Precisamos de duas vagas de garagem. [Consegue incluir?;]',
  ],
  documents: [
    '[Mandei tudo para o seu e-mail.;Enviei os documentos agora.;Acabei de enviar.] [Falta mais alguma coisa?;Vê se chegou, por favor.;]',
    'Mandei por e-mail [o holerite;o comprovante de renda;a declaração do imposto de renda] e os outros.|Falta algum documento para a análise?',
    'Segue tudo por e-mail, obrigad{o}! [Quanto tempo leva?;Fico no aguardo.;]',
  ],
  approved: [
    '[O banco aprovou 80% do valor!;Saiu a aprovação do crédito!;O gerente ligou, foi aprovado!]',
    'Boa notícia: [crédito aprovado!;o banco liberou!]',
  ],
  signed: [
    '[Contrato assinado!;Assinei agora!;Tudo assinado!] [Muito obrigad{o} pela paciência.;Obrigad{o} por tudo, {corretor}!;Nem acredito!]',
    'Assinado! [Que alegria.;{parente_cap} está feliz da vida.;Obrigad{o} por toda a ajuda.]',
  ],
  afterSale: [
    '[Quando sai a vistoria?;Em que mês recebo as chaves?;Posso escolher o piso?]',
    '{ola}, {corretor}! [Já tem data da vistoria?;Como acompanho a obra?;Indiquei você para um colega.]',
  ],
  comeback: [
    '{ola}! [Desculpa a demora;Semana corrida;Estava viajando]. {q}',
    '{ola}, {corretor}! [Ainda tenho interesse;Continuo interessad{o}], sim. {q}',
  ],
  tooExpensive: [
    '[Ficou acima do que posso pagar.;Para mim ficou caro.;Meu orçamento é menor, infelizmente.]',
    'Não consigo chegar nesse valor. [Obrigad{o} pela atenção.;Fica para uma próxima.]',
  ],
  boughtElsewhere: [
    '[Acabei fechando em outro lugar;Comprei outro apartamento], obrigad{o} pela atenção.',
    'Oi, {corretor}. [Comprei um usado aqui perto;Fechamos com outra construtora]. Obrigad{o}!',
  ],
  willWait: [
    'Por enquanto vou esperar, obrigad{o}.',
    '[Vamos deixar para o ano que vem.;Resolvi esperar os juros baixarem.;Vou adiar a compra por enquanto.] [Obrigad{o}!;]',
  ],
  refusedByBank: [
    'O banco não aprovou [meu crédito;o valor]. [Vou ter que esperar.;Fica para depois, infelizmente.]',
    'Não passou na análise. [Obrigad{o} pela ajuda!;Quem sabe mais para a frente.]',
  ],
  mistake: [
    '[Acho que foi engano, não pedi informação.;Cliquei sem querer no anúncio, desculpa.;Não tenho interesse, obrigad{o}.]',
    'Não estou procurando imóvel, [foi sem querer.;obrigad{o}.]',
  ],
  agentName: ['{nome}', 'Sou {art_lead} {nome}', 'É {art_lead} {nome}'],
  agentPurpose: ['[Para morar;Morar;Morar mesmo;Investir;Para investir]', '[É para morar;Seria para morar]'],
  agentRooms: ['{quartos}', '[Queria;Preciso de] {quartos}'],
} satisfies Record<string, readonly string[]>
