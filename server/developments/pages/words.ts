// Texts of public pages: prices with their day, rooms, places.
import { dayText, monthText } from '#domain/development/price-words.ts'
import type { DevelopmentContent, ListingContent, PageContent, PagePlan } from './content.ts'

const REAIS = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL', maximumFractionDigits: 0 })
const CENTS = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
const NUMBER = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 2 })

/** 'R$ 412.000', with cents only where there are some. */
export const reais = (cents: number): string => (cents % 100 === 0 ? REAIS : CENTS).format(cents / 100)
const squareMetres = (area: number): string => `${NUMBER.format(area)} m²`

const counted = (count: number | null, one: string, many: string): string | null =>
  count === null || count === 0 ? null : `${count} ${count === 1 ? one : many}`

export const placeText = ({ district, city }: Pick<PageContent, 'district' | 'city'>): string =>
  [district, city].filter(Boolean).join(' · ')

const PHASE = { lancamento: 'Lançamento', em_obras: 'Em obras', pronto: 'Pronto para morar' }
const PER = { dia: 'por dia', semana: 'por semana', mes: 'por mês', ano: 'por ano' }

/** 'Em obras, entrega em mar/2028'. */
function phaseText({ phase, deliversOn }: DevelopmentContent): string | null {
  const delivery = deliversOn === null || phase === 'pronto' ? null : `entrega em ${monthText(deliversOn)}`
  const words = [phase && PHASE[phase], delivery].filter(Boolean).join(', ')
  return words === '' ? null : words[0]!.toUpperCase() + words.slice(1)
}

type Price = { label: string; amount: string }

/** The lowest price of a development that still holds, with its day. */
function lowest({ plans, priceFromCents, pricedOn }: DevelopmentContent) {
  const priced = plans.flatMap((plan) =>
    plan.priceFromCents === null || plan.pricedOn === null
      ? []
      : [{ cents: plan.priceFromCents, day: plan.pricedOn }],
  )
  const own = priceFromCents === null || pricedOn === null ? [] : [{ cents: priceFromCents, day: pricedOn }]
  return (priced.length > 0 ? priced : own).toSorted((one, other) => one.cents - other.cents)[0]
}

/** Prices to show, and their day; none without a day. */
export function pricesOf(content: PageContent): { prices: Price[]; day: string | null } {
  if (content.type === 'development') {
    const found = lowest(content)
    return found === undefined
      ? { prices: [], day: null }
      : { prices: [{ label: 'A partir de', amount: reais(found.cents) }], day: found.day }
  }
  const { saleCents, rentCents, rentPeriod, pricedOn } = content
  if (pricedOn === null) return { prices: [], day: null }
  return {
    day: pricedOn,
    prices: [
      ...(saleCents === null ? [] : [{ label: 'Venda', amount: reais(saleCents) }]),
      ...(rentCents === null
        ? []
        : [{ label: 'Aluguel', amount: `${reais(rentCents)} ${PER[rentPeriod ?? 'mes']}` }]),
    ],
  }
}

/** '2 quartos, 1 suíte, 62 m²'. */
export function planFacts(plan: PagePlan): string {
  const { bedrooms, suites, parking, areaFrom, areaTo } = plan
  const area =
    areaFrom === null
      ? null
      : areaTo === null
        ? squareMetres(areaFrom)
        : `${NUMBER.format(areaFrom)} a ${squareMetres(areaTo)}`
  return [
    counted(bedrooms, 'quarto', 'quartos'),
    counted(suites, 'suíte', 'suítes'),
    counted(parking, 'vaga', 'vagas'),
    area,
  ]
    .filter(Boolean)
    .join(', ')
}

/** Label and value of what is known of a listing. */
export function listingFacts(listing: ListingContent): [string, string][] {
  const { area, lotArea, bedrooms, bathrooms, suites, parking, condoCents, taxCents, taxPeriod } = listing
  const facts: [string, string | null][] = [
    ['Quartos', bedrooms === null ? null : String(bedrooms)],
    ['Suítes', suites ? String(suites) : null],
    ['Banheiros', bathrooms ? String(bathrooms) : null],
    ['Vagas', parking === null ? null : String(parking)],
    ['Área útil', area === null ? null : squareMetres(area)],
    ['Terreno', lotArea === null ? null : squareMetres(lotArea)],
    ['Condomínio', condoCents === null ? null : `${reais(condoCents)} por mês`],
    ['IPTU', taxCents === null ? null : `${reais(taxCents)} ${PER[taxPeriod ?? 'ano']}`],
  ]
  return facts.filter((fact): fact is [string, string] => fact[1] !== null)
}

/** Label and value of what is known of a development. */
export function developmentFacts(content: DevelopmentContent): [string, string][] {
  const facts: [string, string | null][] = [
    ['Fase', phaseText(content)],
    ['Incorporadora', content.builder],
    ['Registro', content.license],
  ]
  return facts.filter((fact): fact is [string, string] => fact[1] !== null)
}

const MAX_SUMMARY = 155

/** The text for previews and search engines: price with its day, place, beginning of the description. */
export function summaryOf(content: PageContent): string {
  const { prices, day } = pricesOf(content)
  const price =
    day === null
      ? ''
      : `${prices.map(({ label, amount }) => `${label} ${amount}`).join(', ')} em ${dayText(day)}`
  const text = [price, placeText(content), content.description?.replaceAll(/\s+/g, ' ')]
    .filter(Boolean)
    .join('. ')
  const whole = text === '' ? `${content.name}: fotos, plantas e contato.` : text
  return whole.length <= MAX_SUMMARY ? whole : `${whole.slice(0, MAX_SUMMARY).replace(/\s+\S*$/, '')}…`
}

/** The first message of a visitor; portal.take_central reads the code in it. */
export const firstWords = ({ name, code }: PageContent): string =>
  `Olá! Quero saber mais sobre ${name} (cód. ${code}).`
