// A development (empreendimento): what the agency sells, with its plans, prices, photos and documents.
import { countOf } from '../count.ts'

export const STATES = ['lancamento', 'em_obras', 'pronto'] as const
export type DevelopmentState = (typeof STATES)[number]

export const STATE_LABEL: Record<DevelopmentState, string> = {
  lancamento: 'Lançamento',
  em_obras: 'Em obras',
  pronto: 'Pronto',
}

export const FILE_KINDS = ['foto', 'tabela', 'book', 'planta', 'memorial'] as const
export type DevelopmentFileKind = (typeof FILE_KINDS)[number]

export const UNIT_STATES = ['disponivel', 'reservado', 'vendido'] as const
export type UnitState = (typeof UNIT_STATES)[number]

/** One apartment, house or lot of a development. Tower and code identify it. */
export type Unit = {
  planId: number | null
  /** Empty if the development has no towers. */
  tower: string
  code: string
  floor: string | null
  /** The area in square metres. */
  area: number | null
  priceCents: number | null
  state: UnitState
}

/**
 * `pricedOn` is the day of the price table, `validUntil` its last valid day (yyyy-mm-dd, the portal's time zone).
 * Without a price all three are null.
 */
type Priced = { priceFromCents: number | null; pricedOn: string | null; validUntil: string | null }

export type Plan = Priced & {
  id: number
  name: string
  bedrooms: number | null
  suites: number | null
  parking: number | null
  /** The area in square metres. */
  areaFrom: number | null
  areaTo: number | null
  priceToCents: number | null
  unitsLeft: number | null
  /** The file with the plan's drawing; null if there is none. */
  drawingId: number | null
}

export type DevelopmentFile = {
  id: number
  kind: DevelopmentFileKind
  title: string | null
  mimeType: string
  fileName: string
  sizeBytes: number
  width: number | null
  height: number | null
  addedAt: string
}

/** For example '12 disponíveis', which stay on one line. Empty for a development without units (null). */
export function availableText(count: number | null): string {
  if (count === null) return ''
  return count === 0
    ? 'nenhuma unidade disponível'
    : countOf(count, 'disponível', 'disponíveis').replace(' ', '\u00a0')
}

/** Facts of a development that a person types. */
export type DevelopmentFields = {
  name: string
  builder: string | null
  state: DevelopmentState | null
  /** The first day of the delivery month, as yyyy-mm-dd; null if the month is unknown. */
  deliversOn: string | null
  address: string | null
  district: string | null
  city: string | null
  placeName: string | null
  latitude: number | null
  longitude: number | null
  description: string | null
  license: string | null
  priceFromCents: number | null
  validUntil: string | null
}

export type Development = DevelopmentFields &
  Priced & {
    id: number
    version: number
    archivedAt: string | null
    plans: Plan[]
    media: DevelopmentFile[]
  }

export type Price = { cents: number; pricedOn: string; validUntil: string; isExpired: boolean }

/**
 * Returns the price that screens show as 'a partir de'. It is the lowest valid price of the plans with units left, else
 * the lowest expired one. The development's own price counts only if no plan has one. Null if there is no price.
 */
export function priceOf(
  development: Priced & { plans: readonly (Priced & Pick<Plan, 'unitsLeft'>)[] },
  today: string,
): Price | null {
  const ofPlans = development.plans.filter((plan) => plan.priceFromCents !== null)
  const left = ofPlans.filter(({ unitsLeft }) => unitsLeft !== 0)
  const prices = (ofPlans.length > 0 ? left : [development]).flatMap((priced) => toPrice(priced, today))
  const valid = prices.filter(({ isExpired }) => !isExpired)
  return (valid.length > 0 ? valid : prices).toSorted((a, b) => a.cents - b.cents)[0] ?? null
}

function toPrice({ priceFromCents: cents, pricedOn, validUntil }: Priced, today: string): Price[] {
  if (cents === null || pricedOn === null || validUntil === null) return []
  return [{ cents, pricedOn, validUntil, isExpired: validUntil < today }]
}
