// Notes of brokers about leads.
import type { Random } from '../random.ts'
import type { StageSlug } from './arcs.ts'
import { fill, type Slots } from '../dialogue/fill.ts'

const WISHES = [
  'Quer {quartos}, até {preco}.',
  'Procura {quartos} para [morar;investir].',
  'Gostou da planta de {metros}.',
  '[Casal com um filho;Casal sem filhos;Mora com a mãe;Família de quatro], quer {quartos}.',
]
const MEANS = [
  'Tem carta de crédito.',
  'Vai usar FGTS.',
  'Entrada de {entrada}.',
  'Precisa vender o atual antes.',
  'Renda para parcela de {parcela}.',
  'Paga metade à vista.',
]
const HABITS = [
  'Ligar depois das 18h.',
  'Prefere mensagem a ligação.',
  'Só consegue visitar aos sábados.',
  'Quer andar alto, sol da manhã.',
  'Tem cachorro, perguntar do espaço pet.',
  'Trabalha no centro.',
  'Decide junto com {parente}.',
]
const ENDINGS: Partial<Record<StageSlug, readonly string[]>> = {
  arquivado: [
    'Sem retorno depois de três tentativas.',
    'Retomar daqui a seis meses.',
    'Comprou com outra construtora.',
    'Orçamento abaixo da tabela.',
  ],
  fechado: [
    'Contrato assinado, vistoria a marcar.',
    'Indicou uma amiga.',
    'Unidade reservada no [7º;11º;14º] andar.',
  ],
  negociacao: [
    'Proposta enviada, válida por 7 dias.',
    'Aguardando análise do banco.',
    'Pediu desconto à vista.',
  ],
}
const SHARE: Record<StageSlug, number> = {
  new: 0.05,
  conversa: 0.3,
  negociacao: 0.6,
  fechado: 0.5,
  arquivado: 0.25,
}

export function drawNotes(stage: StageSlug, slots: Slots, random: Random): string | null {
  if (!random.chance(SHARE[stage])) return null
  const endings = ENDINGS[stage]
  const parts = [
    random.pick(WISHES),
    ...(random.chance(0.6) ? [random.pick(MEANS)] : []),
    ...(random.chance(0.4) ? [random.pick(HABITS)] : []),
    ...(endings && random.chance(0.5) ? [random.pick(endings)] : []),
  ]
  return fill(parts.join(' '), [slots], random).join(' ')
}
