// What leads ask about a development, and what brokers answer.

export type Topic = { ask: readonly string[]; answer: readonly string[] }

export const TOPICS: readonly Topic[] = [
  {
    ask: [
      'Qual [o valor;o preço] do [apartamento;apê] de {quartos}?',
      'Quanto está o de {quartos}?',
      'Vocês me passam os valores {do} {dev}?',
      'A partir de quanto sai o de {quartos}?',
    ],
    answer: [
      'O de {quartos} tem {metros} e está em {preco}[ na tabela deste mês;, com condição especial este mês;].',
      'As unidades de {quartos}, com {metros}, partem de {preco}. [O valor muda conforme o andar.;Varia conforme o andar e a vista.]',
    ],
  },
  {
    ask: [
      'Como funciona a entrada?',
      'Qual o valor da entrada?',
      'Dá para parcelar a entrada?',
      'Precisa de quanto de entrada?',
    ],
    answer: [
      'A entrada fica em torno de {entrada} e [dá para;pode] parcelar[ durante a obra; em até 36 vezes;].',
      'A partir de {entrada}, parcelando uma parte. [Se tiver FGTS, ele entra junto.;Quanto maior a entrada, menor a parcela.]',
    ],
  },
  {
    ask: ['A parcela fica em quanto?', 'Quanto fica por mês, mais ou menos?', 'Consegue simular a parcela?'],
    answer: [
      'Na simulação fica perto de {parcela} por mês[, mas depende da renda e do prazo;].',
      'Por volta de {parcela}. [Com a sua renda eu consigo uma simulação exata.;O prazo maior deixa a parcela mais leve.]',
    ],
  },
  {
    ask: [
      'Aceita financiamento[ pela Caixa; pelo banco;]?',
      'Posso usar o FGTS?',
      'Dá para financiar [80%;90%] do valor?',
    ],
    answer: [
      'Sim! [Trabalhamos com os principais bancos;O correspondente faz a análise sem custo], e o FGTS também entra.',
      'Sim, com FGTS e tudo. [Se quiser, já peço uma análise de crédito.;A análise sai em dois dias.]',
    ],
  },
  {
    ask: [
      '[Pode me mandar;Consegue me enviar;Tem como mandar] a planta do de {quartos}?',
      'Como é a planta de {quartos}?',
    ],
    answer: [
      'São {metros}, [com uma suíte;com suíte e varanda;com cozinha integrada e varanda]. [A sala é bem ampla.;A planta aproveita bem o espaço.]',
      'A de {quartos} tem {metros}, [com suíte e lavabo;com varanda e cozinha aberta]. [Dá para mudar uma parede na obra.;O decorado mostra bem como fica.]',
    ],
  },
  {
    ask: [
      'Onde fica exatamente?',
      '[Fica;É] perto do centro?',
      'Tem [escola;mercado;ônibus] perto?',
      'Qual a localização?',
    ],
    answer: [
      'Fica {lugar}. [É bem fácil de chegar.;Tem mercado, escola e farmácia perto.]',
      'Ele fica {lugar}. [Se quiser vir conhecer, te espero.;A região cresceu bastante.]',
    ],
  },
  {
    ask: ['Qual a previsão de entrega?', 'Já está pronto ou é na planta?', 'Quando fica pronto?'],
    answer: [
      '{prazo}.',
      '{prazo}. [Está tudo dentro do cronograma.;As fotos estão no site.;Dá para visitar.]',
    ],
  },
  {
    ask: ['Quanto [fica;é] o condomínio?', 'Qual o valor do condomínio?'],
    answer: [
      'O condomínio fica em torno de {condominio} por mês[, com água inclusa;, sem contar o gás;].',
      'A previsão é de {condominio} por mês. [A água é individual.;Já com o fundo de reserva.]',
    ],
  },
  {
    ask: ['Quantas vagas tem?', 'Tem vaga coberta?', 'Quantas vagas tem o de {quartos}?'],
    answer: [
      'O de {quartos} vem com {vagas}.',
      'Vem com {vagas}. [A vaga é demarcada.;Dá para comprar mais uma.]',
    ],
  },
  {
    ask: ['O que tem de lazer?', 'Como é a área comum?', 'Quais são as áreas de lazer?'],
    answer: [
      'A área comum tem {lazer}. [Tudo entregue mobiliado.;É o ponto forte do projeto.;]',
      'Tem {lazer}. [Dá para ver nas fotos do site.;]',
    ],
  },
  {
    ask: [
      'Aceita [cachorro;gato;animal]?',
      'Pode ter pet? Tenho [dois gatos;uma cachorra;um cachorro grande].',
      'Vocês aceitam [cachorro;animais] no prédio?',
    ],
    answer: [
      'Pode, sim! [A convenção permite.;Tem morador com três cachorros.]',
      'Claro! [Sem restrição de porte.;Animais são bem-vindos.]',
    ],
  },
  {
    ask: ['Pega sol da manhã?', 'Qual a posição do sol?', 'Bate sol na sala?'],
    answer: [
      'As unidades de final par pegam o sol da manhã, e as de final ímpar, o da tarde.',
      'As de frente ficam com o sol da manhã, e as dos fundos, com o da tarde.',
    ],
  },
  {
    ask: [
      'Aceita [carro;terreno;apartamento menor] como parte do pagamento?',
      'Aceita permuta[ com apartamento menor; com um terreno;]?',
      'Posso dar meu [carro;apartamento] de entrada?',
    ],
    answer: [
      'A construtora avalia caso a caso. [Me manda os dados que eu consulto.;Se quiser, já peço a avaliação.]',
      'Dá para avaliar, sim. [Qual o valor aproximado?;Me conta um pouco mais sobre ele?]',
    ],
  },
  {
    ask: [
      'Ainda tem unidade [em andar alto;de frente;com varanda;de {quartos}]?',
      'Quantas unidades ainda tem?',
      'Tem alguma unidade [em andar baixo;no último andar;de canto]?',
    ],
    answer: [
      'Tem, sim! Restam [duas;três;quatro;cinco] nessa posição.',
      'Hoje temos [seis;oito;nove;onze] disponíveis, sendo [duas;três] de {quartos}.',
    ],
  },
  {
    ask: [
      'Como é para alugar depois? Penso em investir.',
      'Dá para investir pensando em aluguel?',
      'Quanto aluga um desses?',
    ],
    answer: [
      'A procura na região é boa: um de {quartos} sai por volta de {aluguel} por mês.',
      'Na região o aluguel de {quartos} fica perto de {aluguel}. [Costuma alugar rápido.;]',
    ],
  },
  {
    ask: [
      'Tem apartamento decorado para visitar?',
      'O estande abre no domingo?',
      'Até que horas o estande fica aberto?',
    ],
    answer: [
      'O estande abre todos os dias, das 9h às 19h, e o decorado fica aberto.',
      'Abrimos todos os dias, das 9h às 19h, com o decorado aberto. [Vale a pena ver de perto.;]',
    ],
  },
]
