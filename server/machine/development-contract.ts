// The schemas of developments and interests in /api/v1. The developments module checks what fields say together.
import * as v from 'valibot'
import { STATES, UNIT_STATES } from '#domain/development/development.ts'
import { day } from '#server/http/dates.ts'
import { id, shortId } from '#server/http/ids.ts'
import { text } from './contract.ts'

const integer = (least: number, most: number) =>
  v.nullable(v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most)))
const whole = v.nullable(v.pipe(v.number(), v.integer()))
const number = v.nullable(v.number())
const maybeText = v.nullable(v.string())
/** Money in cents, areas in square metres. A price is not said without its day. */
const priced = { priceFromCents: whole, pricedOn: v.nullable(day), validUntil: v.nullable(day) }

export const Development = v.object({
  id,
  /** Increases with every change. */
  version: v.pipe(v.number(), v.integer()),
  name: v.string(),
  builder: maybeText,
  state: v.nullable(v.picklist(STATES)),
  deliversOn: v.nullable(day),
  address: maybeText,
  district: maybeText,
  city: maybeText,
  placeName: maybeText,
  latitude: number,
  longitude: number,
  description: maybeText,
  license: maybeText,
  ...priced,
  isArchived: v.boolean(),
  plans: v.array(
    v.object({
      id,
      name: v.string(),
      bedrooms: whole,
      suites: whole,
      parking: whole,
      areaFrom: number,
      areaTo: number,
      ...priced,
      priceToCents: whole,
      unitsLeft: whole,
    }),
  ),
})
const unit = {
  planId: v.nullable(shortId),
  code: v.string(),
  floor: maybeText,
  area: number,
  priceCents: whole,
  state: v.picklist(UNIT_STATES),
}
export const DevelopmentDetails = v.object({
  ...Development.entries,
  units: v.array(v.object({ ...unit, tower: v.string() })),
  /** The newest first, fifty at most; an empty plan is the development's own price, a null one was taken away. */
  prices: v.array(
    v.object({
      plan: v.string(),
      priceCents: whole,
      validUntil: v.nullable(day),
      changedAt: v.string(),
    }),
  ),
})

const optional = <T extends Record<string, v.GenericSchema>>(entries: T) =>
  Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, v.optional(entry)])) as {
    [K in keyof T]: v.OptionalSchema<T[K], undefined>
  }
const MAX_CENTS = 100_000_000_000
const cents = integer(1, MAX_CENTS)
const words = (most: number) => v.nullable(text(most))
const named = (most: number) => v.pipe(text(most), v.minLength(1))

const fields = optional({
  builder: words(120),
  state: v.nullable(v.picklist(STATES)),
  deliversOn: v.nullable(day),
  address: words(200),
  district: words(80),
  city: words(80),
  placeName: words(120),
  latitude: number,
  longitude: number,
  description: words(4_000),
  license: words(40),
  priceFromCents: cents,
  validUntil: v.nullable(day),
  isArchived: v.boolean(),
})
/** A plan with the id of a known one keeps what is left out. */
const PlanChange = v.strictObject(
  optional({
    id: shortId,
    name: named(80),
    bedrooms: integer(0, 50),
    suites: integer(0, 50),
    parking: integer(0, 50),
    areaFrom: number,
    areaTo: number,
    priceFromCents: cents,
    priceToCents: cents,
    validUntil: v.nullable(day),
    unitsLeft: integer(0, 100_000),
  }),
)
const UnitChange = v.strictObject({
  code: named(40),
  ...optional({
    planId: unit.planId,
    tower: text(40),
    floor: words(20),
    area: number,
    priceCents: cents,
    state: unit.state,
  }),
})
const lists = {
  plans: v.optional(v.pipe(v.array(PlanChange), v.maxLength(100))),
  units: v.optional(v.pipe(v.array(UnitChange), v.maxLength(2_000))),
}
export const NewDevelopment = v.strictObject({ name: named(120), ...fields, ...lists })
export const DevelopmentChange = v.pipe(
  v.strictObject({
    expectedVersion: v.optional(shortId),
    name: v.optional(named(120)),
    ...fields,
    ...lists,
  }),
  // Refuses a request that would change nothing.
  v.check((change) =>
    Object.entries(change).some(([name, value]) => name !== 'expectedVersion' && value !== undefined),
  ),
)
export const SavedDevelopment = v.object({
  id,
  version: v.pipe(v.number(), v.integer()),
  isArchived: v.boolean(),
  /** False: the development was so before, and nothing changed. */
  isChanged: v.boolean(),
})

/** The origin of an interest: a form or portal, sent material, or a person or other system. */
const ORIGINS = ['listing', 'sent', 'hand'] as const
export const Interest = v.object({ developmentId: id, name: v.string(), origin: v.picklist(ORIGINS) })
export const NewInterest = v.strictObject({ developmentId: shortId })
export const NoBody = v.strictObject({})
export const ChangedInterest = v.object({ leadId: id, developmentId: id, isChanged: v.boolean() })
