// Validates the requests of administrators and brokers about rotations.
import * as v from 'valibot'
import { cleanText } from '#domain/clean-text.ts'
import { PortalError } from '#domain/errors.ts'
import type { RotationPlan } from '#domain/rotation/editing.ts'
import { instant } from '#server/http/dates.ts'

const MAX_SEATS = 500
const DAY_MINUTES = 1_440

const operationId = v.pipe(v.string(), v.uuid())
const whole = (min: number, max: number) => v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max))

const Shift = v.pipe(
  v.object({
    days: v.pipe(v.array(whole(1, 7)), v.minLength(1), v.maxLength(7)),
    from: whole(0, DAY_MINUTES - 1),
    to: whole(1, DAY_MINUTES),
  }),
  v.check(({ from, to }) => from !== to),
)
const Seat = v.object({
  instanceName: v.pipe(v.string(), v.maxLength(80)),
  weight: whole(1, 100),
  shifts: v.nullable(v.pipe(v.array(Shift), v.minLength(1), v.maxLength(50))),
  dailyCap: v.nullable(whole(1, 1_000)),
  isActive: v.boolean(),
})
const WantedInput = v.object({
  name: v.pipe(v.string(), v.transform(cleanText), v.trim(), v.maxLength(120)),
  settings: v.object({
    needsAcceptance: v.boolean(),
    acceptMinutes: whole(1, 1_440),
    answerMinutes: v.nullable(whole(1, 10_080)),
    targetMinutes: v.optional(v.nullable(whole(1, 1_440))),
    listerFirst: v.optional(v.boolean()),
    teamId: v.optional(v.nullable(v.pipe(v.string(), v.uuid()))),
    maxHops: whole(1, 50),
    textCode: v.nullable(v.pipe(v.string(), v.trim(), v.toUpperCase(), v.regex(/^[A-Z0-9]{2,20}$/))),
  }),
  seats: v.pipe(
    v.array(Seat),
    v.maxLength(MAX_SEATS),
    v.check((seats) => new Set(seats.map(({ instanceName }) => instanceName)).size === seats.length),
  ),
})
const SaveInput = v.object({ operationId, version: v.string(), roleta: WantedInput })
const OperationInput = v.object({ operationId })
const PauseInput = v.object({
  until: v.nullable(instant),
  isOpenEnded: v.optional(v.boolean(), false),
})
const CentralInput = v.object({ instanceName: v.pipe(v.string(), v.maxLength(80)), isCentral: v.boolean() })

export function readSave(body: unknown): { operationId: string; version: string; roleta: RotationPlan } {
  const input = read(SaveInput, body)
  requireName(input.roleta)
  return input
}

export function readWanted(body: unknown): RotationPlan {
  return read(WantedInput, body)
}

export const readOperation = (body: unknown): string => read(OperationInput, body).operationId

/** End of the pause; `infinity` until resumed, null ends it now. */
export function readPause(body: unknown): string | null {
  const { until, isOpenEnded } = read(PauseInput, body)
  return isOpenEnded ? 'infinity' : until
}

export const readCentral = (body: unknown) => read(CentralInput, body)

function requireName({ name }: RotationPlan) {
  if (name === '')
    throw new PortalError('roleta.name-required', 'Nome do empreendimento é obrigatório', { status: 422 })
}

function read<T extends v.GenericSchema>(schema: T, body: unknown): v.InferOutput<T> {
  const parsed = v.safeParse(schema, body)
  if (!parsed.success)
    throw new PortalError('request.invalid', 'Confira os campos da roleta e tente de novo.', { status: 422 })
  return parsed.output
}
