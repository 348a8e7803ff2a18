// Validates a request to start a campaign: of a broker to a stage, of an administrator to a segment.
import * as v from 'valibot'
import { formatNumber } from '#domain/count.ts'
import { cleanText } from '#domain/clean-text.ts'
import { PortalError } from '#domain/errors.ts'
import { MAX_CAPTION, MAX_TEXT } from '#domain/message/outgoing.ts'
import { instant } from '#server/http/dates.ts'
import { id } from '#server/http/ids.ts'

const MAX_RECIPIENTS = 100_000
const OperationId = v.pipe(v.string(), v.uuid())

const START = {
  operationId: OperationId,
  message: v.pipe(v.string(), v.transform(cleanText), v.trim()),
  /** ISO 8601 with zone; null: now. */
  startsAt: v.optional(v.nullable(instant), null),
  marks: v.optional(v.boolean(), true),
}
const StartInput = v.object({
  ...START,
  /** The slug of the stage. */
  stage: v.pipe(v.string(), v.maxLength(60)),
  /** The leads that the broker chose. Null: everybody in the stage who may get the campaign. */
  contactIds: v.optional(v.nullable(v.pipe(v.array(id), v.maxLength(MAX_RECIPIENTS))), null),
})
/** The database checks the question and the share. */
const SEGMENT = {
  question: v.looseObject({}),
  /** How many of a hundred persons get nothing, for comparison. Null: nobody is left out. */
  percent: v.optional(v.nullable(v.pipe(v.number(), v.integer())), null),
}
const SegmentInput = v.object(SEGMENT)
const SegmentStartInput = v.object({
  ...START,
  ...SEGMENT,
  /** The saved segment whose name the campaign gets. */
  segmentId: v.optional(v.nullable(id), null),
})
const SteerInput = v.object({ operationId: OperationId })

export type StartInput = v.InferOutput<typeof StartInput>
export type SegmentInput = v.InferOutput<typeof SegmentInput>
export type SegmentStartInput = v.InferOutput<typeof SegmentStartInput>

/**
 * Raises `request.invalid`, `campaign.no-stage`, `campaign.empty`, `campaign.too-long` and `campaign.no-contacts`, all
 * 422.
 */
export function readStart(body: unknown, hasMedia: boolean): StartInput {
  const input = read(StartInput, body)
  if (input.stage === '') throw refusal('campaign.no-stage', 'Escolha um kanban.')
  requireText(input.message, hasMedia)
  if (input.contactIds?.length === 0) throw refusal('campaign.no-contacts', 'Escolha ao menos um contato.')
  return input
}

/** Raises `request.invalid`, `campaign.empty` and `campaign.too-long`, all 422. */
export function readSegmentStart(body: unknown, hasMedia: boolean): SegmentStartInput {
  const input = read(SegmentStartInput, body)
  requireText(input.message, hasMedia)
  return input
}

export const readSegment = (body: unknown): SegmentInput => read(SegmentInput, body)

function requireText(message: string, hasMedia: boolean) {
  if (message === '') throw refusal('campaign.empty', 'Escreva a mensagem da campanha.')
  requireLength(message, hasMedia)
}

/** The worker checks the length again with the lead's name in the text. */
export function requireLength(text: string, hasMedia: boolean) {
  const most = hasMedia ? MAX_CAPTION : MAX_TEXT
  if (text.length > most)
    throw refusal('campaign.too-long', `A mensagem passa de ${formatNumber(most)} caracteres.`)
}

export const readSteer = (body: unknown): { operationId: string } => read(SteerInput, body)

function read<T extends v.GenericSchema>(schema: T, body: unknown): v.InferOutput<T> {
  const parsed = v.safeParse(schema, body)
  if (!parsed.success) throw refusal('request.invalid', 'O pedido não pôde ser lido.')
  return parsed.output
}

const refusal = (code: string, message: string) => new PortalError(code, message, { status: 422 })
