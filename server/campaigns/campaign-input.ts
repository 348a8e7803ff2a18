// Validates a request to start a campaign.
import * as v from 'valibot'
import { formatNumber } from '#domain/count.ts'
import { cleanText } from '#domain/clean-text.ts'
import { PortalError } from '#domain/errors.ts'
import { MAX_CAPTION, MAX_TEXT } from '#domain/message/outgoing.ts'
import { instant } from '#server/http/dates.ts'
import { id } from '#server/http/ids.ts'

const MAX_RECIPIENTS = 100_000
const OperationId = v.pipe(v.string(), v.uuid())

const StartInput = v.object({
  operationId: OperationId,
  /** The stage's slug. */
  stage: v.pipe(v.string(), v.maxLength(60)),
  message: v.pipe(v.string(), v.transform(cleanText), v.trim()),
  /** The chosen leads; null: everyone of the stage who may get it. */
  contactIds: v.optional(v.nullable(v.pipe(v.array(id), v.maxLength(MAX_RECIPIENTS))), null),
  /** ISO 8601 with zone; null: now. */
  startsAt: v.optional(v.nullable(instant), null),
  marks: v.optional(v.boolean(), true),
})
const SteerInput = v.object({ operationId: OperationId })

export type StartInput = v.InferOutput<typeof StartInput>

/** Raises `request.invalid`, `campaign.no-stage`, `campaign.empty`, `campaign.too-long` and `campaign.no-contacts`, all 422. */
export function readStart(body: unknown, hasMedia: boolean): StartInput {
  const input = read(StartInput, body)
  if (input.stage === '') throw refusal('campaign.no-stage', 'Escolha um kanban.')
  if (input.message === '') throw refusal('campaign.empty', 'Escreva a mensagem da campanha.')
  if (input.contactIds?.length === 0) throw refusal('campaign.no-contacts', 'Escolha ao menos um contato.')
  requireLength(input.message, hasMedia)
  return input
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
