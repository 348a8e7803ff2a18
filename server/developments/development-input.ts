// Validates what administrators save of a development.
import * as v from 'valibot'
import { cleanText } from '#domain/clean-text.ts'
import { FILE_KINDS, STATES, UNIT_STATES } from '#domain/development/development.ts'
import { PortalError } from '#domain/errors.ts'
import { day } from '#server/http/dates.ts'

const MAX_PLANS = 100
const MAX_UNITS = 2_000
const MAX_FILES = 200
const MAX_CENTS = 100_000_000_000

const whole = (min: number, max: number) => v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max))
const id = whole(1, 2_147_483_647)
const required = (max: number) =>
  v.pipe(v.string(), v.transform(cleanText), v.trim(), v.minLength(1), v.maxLength(max))
/** An empty text is none. */
const text = (max: number) =>
  v.nullable(
    v.pipe(
      v.string(),
      v.transform(cleanText),
      v.trim(),
      v.maxLength(max),
      v.transform((given) => (given === '' ? null : given)),
    ),
  )
const area = v.nullable(v.pipe(v.number(), v.minValue(0.01), v.maxValue(9_999_999)))
const cents = v.nullable(whole(1, MAX_CENTS))
const rooms = v.nullable(whole(0, 50))

const Plan = v.pipe(
  v.object({
    id: v.optional(v.nullable(id)),
    name: required(80),
    bedrooms: rooms,
    suites: rooms,
    parking: rooms,
    areaFrom: area,
    areaTo: area,
    priceFromCents: cents,
    priceToCents: cents,
    validUntil: v.nullable(day),
    unitsLeft: v.nullable(whole(0, 100_000)),
    drawingId: v.optional(v.nullable(id), null),
  }),
  v.check(
    ({ priceFromCents, validUntil }) => priceFromCents === null || validUntil !== null,
    'Falta a validade.',
  ),
  v.check(
    ({ areaFrom, areaTo }) => areaTo === null || (areaFrom !== null && areaFrom <= areaTo),
    'A área final é menor que a inicial.',
  ),
  v.check(
    ({ priceFromCents, priceToCents }) =>
      priceToCents === null || (priceFromCents !== null && priceFromCents <= priceToCents),
    'O preço final é menor que o inicial.',
  ),
  // Without a price its last day has no meaning, so it is removed.
  v.transform((plan) => (plan.priceFromCents === null ? { ...plan, validUntil: null } : plan)),
)

const Unit = v.object({
  planId: v.optional(v.nullable(id), null),
  tower: v.optional(text(40), null),
  code: required(40),
  floor: v.optional(text(20), null),
  area,
  priceCents: cents,
  state: v.picklist(UNIT_STATES),
})

const Wanted = v.pipe(
  v.object({
    name: required(120),
    builder: text(120),
    state: v.nullable(v.picklist(STATES)),
    deliversOn: v.nullable(v.pipe(day, v.endsWith('-01'))),
    address: text(200),
    district: text(80),
    city: text(80),
    placeName: text(120),
    latitude: v.nullable(v.pipe(v.number(), v.minValue(-90), v.maxValue(90))),
    longitude: v.nullable(v.pipe(v.number(), v.minValue(-180), v.maxValue(180))),
    description: text(4_000),
    license: text(40),
    priceFromCents: cents,
    validUntil: v.nullable(day),
    plans: v.pipe(v.array(Plan), v.maxLength(MAX_PLANS)),
    units: v.optional(v.pipe(v.array(Unit), v.maxLength(MAX_UNITS))),
    media: v.pipe(v.array(v.object({ id, title: text(120) })), v.maxLength(MAX_FILES)),
    removedMedia: v.pipe(v.array(id), v.maxLength(MAX_FILES)),
  }),
  v.check(
    ({ latitude, longitude }) => (latitude === null) === (longitude === null),
    'O ponto no mapa precisa de latitude e longitude.',
  ),
  v.check(
    ({ priceFromCents, validUntil }) => priceFromCents === null || validUntil !== null,
    'Falta a validade do preço.',
  ),
  v.transform((wanted) => (wanted.priceFromCents === null ? { ...wanted, validUntil: null } : wanted)),
)
export type WantedDevelopment = v.InferOutput<typeof Wanted>

const Save = v.object({
  operationId: v.pipe(v.string(), v.uuid()),
  version: v.optional(whole(1, 2_147_483_647)),
  development: Wanted,
})
const Archive = v.object({ isArchived: v.boolean() })
const Bind = v.object({ text: required(200), id })
const FileInput = v.object({
  kind: v.picklist(FILE_KINDS),
  title: v.optional(text(120), null),
  fileName: required(200),
})
const Wish = v.object({
  ids: v.pipe(v.array(id), v.minLength(1), v.maxLength(200)),
  isSmall: v.optional(v.boolean(), false),
})

export const readSave = (body: unknown) => read(Save, body)
export const readArchive = (body: unknown) => read(Archive, body)
export const readBind = (body: unknown) => read(Bind, body)
export const readFile = (body: unknown) => read(FileInput, body)
export const readWish = (body: unknown) => read(Wish, body)

/** Validates what another system sends. Raises `development.invalid`, whose text names the field. */
export const readWanted = (wanted: unknown) =>
  read(Wanted, wanted, (issue) => `Confira o campo ${v.getDotPath(issue) ?? 'corpo'}.`)

type Words = (issue: v.BaseIssue<unknown>) => string
const anyField: Words = () => 'Confira os campos e tente de novo.'

/** The portal's own messages for what a person can enter wrongly in a form. */
function read<T extends v.GenericSchema>(schema: T, body: unknown, wordsFor = anyField): v.InferOutput<T> {
  const parsed = v.safeParse(schema, body)
  if (parsed.success) return parsed.output
  const own = parsed.issues.find(({ type }) => type === 'check' || type === 'partial_check')
  const words = own && own.message.endsWith('.') ? own.message : wordsFor(parsed.issues[0])
  throw new PortalError('development.invalid', words, { status: 422 })
}
