// Applies another system's change to a development's record.
import type { Development, Plan } from '#domain/development/development.ts'
import { PortalError } from '#domain/errors.ts'
import { readWanted, type WantedDevelopment } from './development-input.ts'

type Unit = Partial<NonNullable<WantedDevelopment['units']>[number]>
/** The answer of portal.machine_development_before. */
type Before = Development & { units: Unit[] }
type Change = Partial<Omit<Development, 'plans'>> & { plans?: Partial<Plan>[]; units?: Unit[] }

const NO_FIELDS = {
  builder: null,
  state: null,
  deliversOn: null,
  address: null,
  district: null,
  city: null,
  placeName: null,
  latitude: null,
  longitude: null,
  description: null,
  license: null,
  priceFromCents: null,
  validUntil: null,
}
const NO_PLAN = {
  bedrooms: null,
  suites: null,
  parking: null,
  areaFrom: null,
  areaTo: null,
  priceFromCents: null,
  priceToCents: null,
  validUntil: null,
  unitsLeft: null,
}
const NO_UNIT = { floor: null, area: null, priceCents: null, state: 'disponivel' }

const refused = (words: string) => new PortalError('development.invalid', words, { status: 422 })

/**
 * Returns the development to save: `before` (null: a new one) with the fields that the change names. Null if nothing
 * changes. Raises `development.invalid`.
 */
export function toWanted(before: object | null, given: object): WantedDevelopment | null {
  const was = before as Before | null
  const change = given as Change
  const is = readWanted(merged(was, change))
  if (was === null) return is
  const isSame = JSON.stringify(sorted(is)) === JSON.stringify(sorted(readWanted(merged(was, {}, change))))
  return isSame ? null : is
}

/** Leaves out the units if the change has none; then they are neither compared nor saved. */
function merged(was: Before | null, change: Change, { units: compared } = change) {
  const plans = change.plans?.map((plan) => mergedPlan(was?.plans ?? [], plan)) ?? was?.plans ?? []
  const units = compared && (change.units ?? was?.units)?.map((unit) => ({ ...NO_UNIT, ...unit }))
  for (const { planId } of units ?? [])
    if (planId && !plans.some((plan) => 'id' in plan && plan.id === planId))
      throw refused(`A planta ${planId} não é deste empreendimento.`)
  return {
    ...NO_FIELDS,
    ...was,
    ...change,
    plans,
    units,
    media: (was?.media ?? []).map(({ id, title }) => ({ id, title })),
    removedMedia: [],
  }
}

function mergedPlan(known: readonly Plan[], given: Partial<Plan>) {
  const { id, ...plan } = given
  if (id === undefined) {
    if (plan.name === undefined) throw refused('Falta o nome da planta.')
    return { ...NO_PLAN, ...plan }
  }
  const was = known.find((one) => one.id === id)
  if (!was) throw refused(`A planta ${id} não é deste empreendimento.`)
  // Without its lower price the upper one means nothing.
  const withoutPrice = plan.priceFromCents === null && { priceToCents: null }
  return { ...was, ...withoutPrice, ...plan, id }
}

const sorted = ({ units, ...rest }: WantedDevelopment) => ({
  ...rest,
  units: units?.map((unit) => JSON.stringify(unit)).toSorted(),
})
