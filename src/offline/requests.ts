// Turns outbox entries into requests, and reads the responses. A request is built when it is sent, so that a new app
// version can send what an older one stored.
import * as v from 'valibot'
import type { Delivered, Delivery } from '#api/deliver.ts'
import type { MaterialThing } from '#domain/development/material.ts'
import type { Entry, LeadRef, Problem } from '#domain/outbox/command.ts'
import { type Answer, readRetryAfter, type Reading } from '#domain/outbox/verdict.ts'

export function toDelivery({ id, command, createdAtMs }: Entry): Delivery {
  const { lead } = command
  switch (command.kind) {
    case 'lead.move':
      return {
        path: '/rest/v1/rpc/atualizar_status_lead',
        body: {
          ...named(lead),
          p_novo_status: command.toSlug,
          p_expected_status: command.fromSlug,
          p_moved_at: new Date(createdAtMs).toISOString(),
          p_operation_id: id,
        },
      }
    case 'lead.note':
      return {
        path: '/rest/v1/rpc/save_lead_notes',
        body: { ...named(lead), p_notes: command.text, p_base_notes: command.base, p_operation_id: id },
      }
    case 'lead.rename':
      return {
        path: '/rest/v1/rpc/rename_lead',
        body: { ...named(lead), p_name: command.text, p_base_name: command.base, p_operation_id: id },
      }
    case 'lead.read':
      // Marking as read twice changes nothing, so the request needs no operation id.
      return { path: '/rest/v1/rpc/mark_read', body: { p_contact_id: lead.id, p_up_to: command.upToSeconds } }
    case 'lead.add':
      return {
        path: '/rest/v1/rpc/lead_add',
        body: {
          p_name: lead.name,
          p_number: [lead.number, ...(command.furtherNumbers ?? [])].join(' '),
          p_development: command.development,
          p_source: command.source,
          p_note: command.note,
          p_broker_name: lead.instanceName,
          p_operation_id: id,
        },
      }
    case 'material.send':
      return {
        path: '/rest/v1/rpc/material_send',
        body: {
          ...named(lead),
          p_development_id: command.development.id,
          p_things: command.things.map(toThing),
          p_written_at: new Date(createdAtMs).toISOString(),
          p_operation_id: id,
        },
      }
    case 'message.send':
      return {
        path: `/api/messages/${command.file ? 'quick-reply' : (command.card?.kind ?? 'text')}`,
        body: {
          contactId: lead.id,
          number: lead.number,
          brokerName: lead.instanceName,
          text: command.text,
          ...command.card,
          // The portal already has the file, so the request only names it.
          ...(command.file && {
            quickReplyId: command.file.quickReplyId,
            mediaId: command.file.mediaId,
          }),
          quotedMessageId: knownToServer(command.quotedMessageId),
          writtenAt: new Date(createdAtMs).toISOString(),
          operationId: id,
        },
      }
    default:
      return {
        path: `/rest/v1/rpc/${command.kind.replace('.', '_')}`,
        body: { ...named(lead), ...toArguments(command.given), p_operation_id: id },
      }
  }
}

/** A request names the file of each message, because the portal already has it. */
const toThing = ({ operationId, fileId, text: caption, label, content, ...more }: MaterialThing) => {
  const { page, price, fileKind } = more
  return {
    operationId,
    kind: content.kind,
    fileId,
    text: caption,
    label,
    ...(page !== undefined && { page }),
    ...(price !== undefined && { price }),
    ...(fileKind !== undefined && { fileKind }),
  }
}

/** Renames arguments: { dueAt } becomes { p_due_at }. */
function toArguments(given: object) {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]: [string, unknown]) => [
      `p_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
      value,
    ]),
  )
}

/**
 * Returns the id of the quoted message. Returns null if that message was unsent when the reply was written, because the
 * server does not know its local id.
 */
function knownToServer(messageId: number | null): number | null {
  return messageId !== null && messageId > 0 ? messageId : null
}

function named({ id, number, instanceName }: LeadRef) {
  return { p_contact_id: id, p_number_lead: number, p_broker_name: instanceName }
}

const text = v.nullish(v.string(), null)

const MoveAnswer = v.object({
  code: v.string(),
  message: text,
  current_status: text,
  changed_by: text,
  changed_at: text,
})
const WordsAnswer = v.object({ code: v.string(), message: text, current: text })
const AddAnswer = v.object({ code: v.string(), message: text, contact_id: v.nullable(v.number()) })
const BurstAnswer = v.object({
  code: v.string(),
  message: text,
  gone: v.array(v.string()),
  messages: v.array(v.number()),
})
const SentAnswer = v.object({ message: v.object({ id: v.number() }) })
/** The error bodies of the portal and of the database. */
const Refusal = v.union([
  v.pipe(
    v.object({ error: v.object({ message: v.string() }) }),
    v.transform(({ error }) => error.message),
  ),
  v.pipe(
    v.object({ code: v.string(), message: v.string() }),
    // Only errors whose code begins with PT have the portal's own Portuguese text.
    v.transform(({ code, message }) => (code.startsWith('PT') ? message : REFUSED)),
  ),
])
const REFUSED = 'O pedido não foi aceito.'

const NO_PROBLEM: Problem = { reason: null, theirs: null, changedBy: null, changedAtMs: null }

export function toAnswer({ command }: Entry, { status, retryAfter, body }: Delivered, nowMs: number): Answer {
  const reading = status < 300 ? readDone(command.kind, body) : readRefusal(body)
  return { status, retryAfterMs: readRetryAfter(retryAfter, nowMs), reading }
}

function readRefusal(body: unknown): Reading | null {
  const refusal = v.safeParse(Refusal, body)
  if (!refusal.success) return null
  return { code: 'refused', problem: { ...NO_PROBLEM, reason: refusal.output }, messageId: null }
}

function readDone(kind: Entry['command']['kind'], body: unknown): Reading | null {
  switch (kind) {
    case 'lead.move': {
      const answer = v.safeParse(MoveAnswer, body)
      return answer.success ? readMove(answer.output) : null
    }
    case 'lead.add': {
      const answer = v.safeParse(AddAnswer, body)
      if (!answer.success) return null
      const { code, message, contact_id: leadId } = answer.output
      return {
        code,
        problem: { ...NO_PROBLEM, reason: message },
        messageId: null,
        leadId: leadId ?? undefined,
      }
    }
    case 'lead.read':
      return typeof body === 'number' ? { code: 'done', problem: NO_PROBLEM, messageId: null } : null
    case 'message.send': {
      const answer = v.safeParse(SentAnswer, body)
      return answer.success
        ? { code: 'done', problem: NO_PROBLEM, messageId: answer.output.message.id }
        : null
    }
    case 'material.send': {
      const answer = v.safeParse(BurstAnswer, body)
      if (!answer.success) return null
      const { code, message, gone, messages } = answer.output
      const problem = {
        ...NO_PROBLEM,
        reason: message,
        ...(gone.length > 0 && { isOutdated: true as const }),
      }
      return { code, problem, messageId: messages.at(-1) ?? null, gone }
    }
    default: {
      const answer = v.safeParse(WordsAnswer, body)
      if (!answer.success) return null
      const { code, message, current } = answer.output
      return { code, problem: { ...NO_PROBLEM, code, reason: message, theirs: current }, messageId: null }
    }
  }
}

function readMove({ code, ...answer }: v.InferOutput<typeof MoveAnswer>): Reading {
  const problem = {
    reason: answer.message,
    theirs: answer.current_status,
    changedBy: answer.changed_by,
    changedAtMs: answer.changed_at === null ? null : Date.parse(answer.changed_at),
  }
  return { code, problem, messageId: null }
}
