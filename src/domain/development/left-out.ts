// Why the feed for portals leaves something out that is published, and what mends it, in the administrator's words.

type Words = { why: string; mend: string }
const PAGE = 'No imóvel, no programa de onde ele vem; no empreendimento, aqui.'

/** Every reason that the feed has, in the order of the screen. */
export const LEFT_OUT = {
  kind: {
    why: 'Tipo que os portais não conhecem',
    mend: 'Mude o tipo no programa de onde o imóvel vem: Apartamento, Casa, Terreno, Sala comercial… A próxima leitura traz.',
  },
  price: {
    why: 'Sem preço de venda nem de aluguel',
    mend: 'Procure o código em Imóveis e ponha o preço em Editar.',
  },
  photo: {
    why: 'Sem foto',
    mend: `Ponha ao menos uma. ${PAGE} Fotos que o portal ainda busca entram sozinhas.`,
  },
  city: { why: 'Sem cidade', mend: `Preencha a cidade. ${PAGE}` },
  plans: {
    why: 'Empreendimento sem plantas',
    mend: 'Cada planta com preço é um anúncio: abra o empreendimento e ponha as plantas.',
  },
  'plan-price': {
    why: 'Planta sem preço que valha hoje',
    mend: 'Abra o empreendimento e confira o preço e o Vale até.',
  },
  'sold-out': {
    why: 'Planta esgotada',
    mend: 'Nada a fazer: ela volta quando a planta tiver unidades.',
  },
} as const satisfies Record<string, Words>

export type LeftOutReason = keyof typeof LEFT_OUT
export const LEFT_OUT_REASONS = Object.keys(LEFT_OUT) as [LeftOutReason, ...LeftOutReason[]]
