// The leads of juliana and marcelo in the mockups, word for word.
import { daysAgo, yesterday, type KnownLead } from './known-lead.ts'

export const KNOWN_TO_JULIANA: readonly KnownLead[] = [
  {
    name: 'Silvia Pacheco',
    gender: 'f',
    number: '5511905550121',
    source: 'facebook',
    adCampaign: 'Lançamento Mirante do Lago',
    development: 'Mirante do Lago',
    lines: [['lead', 124, 'Aceita permuta com apartamento menor?']],
  },
  {
    name: 'Felipe Arantes',
    gender: 'm',
    number: '5511905550158',
    source: 'google',
    development: 'Alameda dos Jatobás',
    moves: [[daysAgo(11, 15.4), 'conversa']],
    lines: [
      ['lead', daysAgo(11, 14.8), 'Boa tarde! Dá para financiar 80% na Alameda dos Jatobás?'],
      ['broker', daysAgo(11, 15), 'Boa tarde, Felipe! Dá, sim. Já peço a análise para você?'],
      ['lead', daysAgo(11, 15.3), 'Pode pedir, por favor.'],
      ['lead', 243, 'O banco aprovou 80% do valor.'],
    ],
  },
  {
    name: 'Sandra Lemos',
    gender: 'f',
    number: '5511905550166',
    source: 'indicacao',
    development: 'Mirante do Lago',
    moves: [
      [daysAgo(29, 11.3), 'conversa'],
      [daysAgo(17, 17.2), 'negociacao'],
      [daysAgo(2, 14.6), 'fechado'],
    ],
    lines: [
      ['lead', daysAgo(29, 10.9), 'Bom dia! Procuro 2 quartos no Mirante do Lago.'],
      ['broker', daysAgo(29, 11.1), 'Bom dia, Sandra! Temos duas unidades de 68 m². Quer conhecer?'],
      ['lead', daysAgo(17, 16.4), 'Gostei muito da visita, pode mandar a proposta.'],
      ['broker', daysAgo(17, 17), 'Segue a proposta: R$ 485 mil, com R$ 73 mil de entrada.'],
      ['lead', daysAgo(2, 14.4), 'Contrato assinado! Muito obrigada pela paciência.'],
    ],
  },
]

export const KNOWN_TO_MARCELO: readonly KnownLead[] = [
  {
    name: 'André Sampaio',
    gender: 'm',
    number: '5511905550189',
    source: 'site',
    development: 'Alameda dos Jatobás',
    lines: [['lead', 18.5, '{saudacao}, queria saber o valor do condomínio.']],
  },
  {
    name: 'Renato Guimarães',
    gender: 'm',
    number: '5511905550194',
    source: 'instagram',
    adCampaign: 'Lançamento Mirante do Lago',
    development: 'Mirante do Lago',
    lines: [['lead', yesterday(11.3), 'Pode me mandar as plantas?']],
  },
  {
    name: 'Paulo Viana',
    gender: 'm',
    number: '5511905550103',
    source: 'facebook',
    adCampaign: 'Vista Serrana Indique',
    development: 'Vista Serrana',
    moves: [
      [daysAgo(21, 10.4), 'conversa'],
      [daysAgo(12, 16.9), 'arquivado'],
    ],
    lines: [
      ['lead', daysAgo(21, 9.7), 'Bom dia, qual a previsão de entrega do Vista Serrana?'],
      ['broker', daysAgo(21, 10.1), 'Bom dia, Paulo! Daqui a oito meses, com a obra dentro do cronograma.'],
      ['lead', daysAgo(12, 16.6), 'Por enquanto vou esperar, obrigado.'],
    ],
  },
]
