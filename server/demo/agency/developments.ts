// The eleven developments of the demonstration, with the facts for brokers' answers.
import type { DevelopmentState } from '#domain/development/development.ts'
import type { Gender } from './brokers.ts'

type Plan = { rooms: number; size: number; price: number; parking: number }

export type Development = {
  name: string
  gender: Gender
  /** Continues a sentence after 'fica'. */
  place: string
  leisure: string
  /** A whole sentence without its full stop. */
  delivery: string
  district: string
  state: DevelopmentState
  monthsToDelivery: number | null
  condominium: number
  /** Sizes in m², prices in thousands of R$. */
  plans: readonly Plan[]
  adCampaign: string
  /** Share of the leads, as a weight. */
  share: number
}

const plan = (rooms: number, [size, price]: readonly [number, number], parking = 1): Plan => ({
  rooms,
  size,
  price,
  parking,
})
const FAIR = 'Feirão Primeira Casa'

export const DEVELOPMENTS: readonly Development[] = [
  {
    name: 'Mirante do Lago',
    gender: 'm',
    place: 'em frente ao lago, a oito minutos do centro',
    leisure: 'piscina com vista para o lago, academia e salão de festas',
    delivery: 'A entrega está prevista para daqui a catorze meses',
    district: 'Jardim Botânico',
    state: 'em_obras',
    monthsToDelivery: 14,
    condominium: 620,
    plans: [plan(2, [68, 485]), plan(3, [92, 640], 2), plan(4, [128, 910], 2)],
    adCampaign: 'Lançamento Mirante do Lago',
    share: 412,
  },
  {
    name: 'Jardim das Acácias',
    gender: 'm',
    place: 'na rua arborizada atrás do parque municipal',
    leisure: 'piscina, churrasqueira, brinquedoteca e bicicletário',
    delivery: 'Está pronto para morar',
    district: 'Vila Nova',
    state: 'pronto',
    monthsToDelivery: null,
    condominium: 480,
    plans: [plan(2, [56, 338]), plan(3, [74, 452])],
    adCampaign: 'Plantão Jardim das Acácias',
    share: 318,
  },
  {
    name: 'Reserva Ipê',
    gender: 'm',
    place: 'ao lado da reserva, a dez minutos da rodovia',
    leisure: 'trilha, piscina, quadra e espaço pet',
    delivery: 'A obra começou agora e a entrega é em trinta meses',
    district: 'Parque Sul',
    state: 'lancamento',
    monthsToDelivery: 30,
    condominium: 430,
    plans: [plan(2, [49, 289]), plan(3, [67, 384])],
    adCampaign: 'Reserva Ipê Entrada Zero',
    share: 226,
  },
  {
    name: 'Vista Serrana',
    gender: 'm',
    place: 'na parte alta do bairro, com vista para a serra',
    leisure: 'piscina aquecida, academia e salão gourmet',
    delivery: 'A entrega está prevista para daqui a oito meses',
    district: 'Alto da Serra',
    state: 'em_obras',
    monthsToDelivery: 8,
    condominium: 540,
    plans: [plan(2, [63, 412]), plan(3, [86, 573], 2)],
    adCampaign: 'Vista Serrana Indique',
    share: 174,
  },
  {
    name: 'Porto Aurora',
    gender: 'm',
    place: 'a duas quadras da estação e do mercado',
    leisure: 'coworking, lavanderia, academia e terraço',
    delivery: 'A entrega está prevista para daqui a vinte meses',
    district: 'Beira-Rio',
    state: 'lancamento',
    monthsToDelivery: 20,
    condominium: 390,
    plans: [plan(1, [34, 246]), plan(2, [47, 318])],
    adCampaign: FAIR,
    share: 98,
  },
  {
    name: 'Alameda dos Jatobás',
    gender: 'f',
    place: 'na alameda, em frente à praça',
    leisure: 'piscina, quadra de tênis e salão de festas',
    delivery: 'Está pronta para morar',
    district: 'Centro',
    state: 'pronto',
    monthsToDelivery: null,
    condominium: 890,
    plans: [plan(3, [118, 870], 2), plan(4, [164, 1240], 3)],
    adCampaign: FAIR,
    share: 56,
  },
  {
    name: 'Bosque dos Manacás',
    gender: 'm',
    place: 'na avenida do bosque, perto das escolas',
    leisure: 'piscina, playground e churrasqueira',
    delivery: 'A entrega está prevista para daqui a seis meses',
    district: 'Vila Nova',
    state: 'em_obras',
    monthsToDelivery: 6,
    condominium: 410,
    plans: [plan(2, [52, 312]), plan(3, [69, 398])],
    adCampaign: FAIR,
    share: 45,
  },
  {
    name: 'Colina do Sabiá',
    gender: 'f',
    place: 'na colina, a quinze minutos do centro',
    leisure: 'piscina, horta e espaço pet',
    delivery: 'A entrega está prevista para daqui a vinte e dois meses',
    district: 'Parque Sul',
    state: 'lancamento',
    monthsToDelivery: 22,
    condominium: 360,
    plans: [plan(2, [46, 264]), plan(2, [51, 281])],
    adCampaign: FAIR,
    share: 38,
  },
  {
    name: 'Praça das Jabuticabeiras',
    gender: 'f',
    place: 'na praça central, com comércio no térreo',
    leisure: 'terraço, academia e salão de jogos',
    delivery: 'A entrega está prevista para daqui a onze meses',
    district: 'Centro',
    state: 'em_obras',
    monthsToDelivery: 11,
    condominium: 450,
    plans: [plan(1, [38, 274]), plan(2, [58, 389])],
    adCampaign: FAIR,
    share: 30,
  },
  {
    name: 'Recanto da Garça',
    gender: 'm',
    place: 'à beira da represa, em condomínio fechado',
    leisure: 'clube, píer, quadras e piscina',
    delivery: 'Está pronto para morar',
    district: 'Represa',
    state: 'pronto',
    monthsToDelivery: null,
    condominium: 720,
    plans: [plan(3, [142, 780], 2), plan(4, [186, 1080], 3)],
    adCampaign: FAIR,
    share: 24,
  },
  {
    name: 'Quinta do Cedro',
    gender: 'f',
    place: 'na saída para a serra, em rua sem saída',
    leisure: 'piscina, salão de festas e redário',
    delivery: 'A entrega está prevista para daqui a dezessete meses',
    district: 'Alto da Serra',
    state: 'lancamento',
    monthsToDelivery: 17,
    condominium: 510,
    plans: [plan(3, [96, 545], 2)],
    adCampaign: FAIR,
    share: 18,
  },
]

export function developmentNamed(name: string): Development {
  const found = DEVELOPMENTS.find((development) => development.name === name)
  if (!found) throw new Error(`no development is called ${name}`)
  return found
}
