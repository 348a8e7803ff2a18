// The schemas of /api/v1, which check requests and produce openapi.json.
import * as v from 'valibot'
import { cleanText } from '#domain/clean-text.ts'
import { EVENT_TYPES } from '#domain/machine.ts'
import { readNumbers } from '#domain/phone/read.ts'
import { MAX_TEXT } from '#domain/message/outgoing.ts'
import { instant } from '#server/http/dates.ts'
import { id } from '#server/http/ids.ts'

export const text = (most: number) => v.pipe(v.string(), v.transform(cleanText), v.trim(), v.maxLength(most))
const maybe = (most: number) => v.optional(text(most))
const slug = v.pipe(v.string(), v.minLength(1), v.maxLength(60))
/** Notes of a lead. Null: none, which is also how a lead without notes is answered. */
const notes = v.nullable(text(10_000))
/** Accepts a number in any form and returns its canonical one. */
const phone = v.pipe(
  v.string(),
  v.maxLength(60),
  // An unescaped + of an address arrives as a space.
  v.transform((written) => readNumbers(written.replace(/^ /, '+')).numbers[0]?.e164 ?? ''),
  v.check((number) => number !== ''),
)

/** Opaque to clients: the end of the previous page. */
const paging = {
  cursor: v.optional(v.pipe(v.string(), v.maxLength(40))),
  limit: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number), v.minValue(1), v.maxValue(100)),
  ),
}
export const LeadsQuery = v.strictObject({
  ...paging,
  stage: v.optional(slug),
  instanceName: v.optional(v.pipe(v.string(), v.maxLength(80))),
  updatedFrom: v.optional(instant),
  phone: v.optional(phone),
  externalId: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(200))),
})
export const MessagesQuery = v.strictObject({
  ...paging,
  leadId: v.pipe(v.string(), v.regex(/^\d{1,15}$/)),
})
export const EventsQuery = v.strictObject({
  ...paging,
  webhookId: v.optional(v.pipe(v.string(), v.uuid())),
  type: v.optional(v.picklist(EVENT_TYPES)),
})
export const NoQuery = v.strictObject({})

export const NewLead = v.strictObject({
  name: maybe(200),
  phone: maybe(60),
  email: maybe(254),
  source: maybe(60),
  campaign: maybe(200),
  development: maybe(120),
  listing: maybe(120),
  message: maybe(4_000),
  externalId: maybe(200),
  consentAt: v.optional(instant),
  consentText: maybe(2_000),
  fields: v.optional(v.record(v.string(), v.string())),
})
export const LeadChange = v.pipe(
  v.strictObject({
    stage: v.optional(slug),
    expectedStage: v.optional(slug),
    notes: v.optional(notes),
    expectedNotes: v.optional(notes),
  }),
  v.check(({ stage, notes }) => stage !== undefined || notes !== undefined),
  // Refuses an expected value without the new one: the update would not check it.
  v.check(({ stage, expectedStage }) => stage !== undefined || expectedStage === undefined),
  v.check(({ notes, expectedNotes }) => notes !== undefined || expectedNotes === undefined),
)
export const NewMessage = v.strictObject({
  leadId: id,
  text: v.pipe(v.string(), v.transform(cleanText), v.trim(), v.minLength(1), v.maxLength(MAX_TEXT)),
})

export const Lead = v.object({
  id,
  name: v.nullable(v.string()),
  phone: v.nullable(v.string()),
  email: v.nullable(v.string()),
  stage: v.string(),
  instanceName: v.nullable(v.string()),
  development: v.nullable(v.string()),
  /** Further developments and the first one, the oldest interest first. */
  interests: v.array(v.string()),
  source: v.string(),
  campaign: v.nullable(v.string()),
  tags: v.array(v.string()),
  valueCents: v.nullable(v.pipe(v.number(), v.integer())),
  lossReason: v.nullable(v.string()),
  isOptedOut: v.boolean(),
  waitingSince: v.nullable(instant),
  wonAt: v.nullable(instant),
  createdAt: instant,
  updatedAt: instant,
  notes: v.nullable(v.string()),
  /** The newest twenty arrivals, newest first. */
  intakes: v.array(
    v.object({
      externalId: v.nullable(v.string()),
      source: v.string(),
      campaign: v.nullable(v.string()),
      development: v.nullable(v.string()),
      listing: v.nullable(v.string()),
      message: v.nullable(v.string()),
      receivedAt: instant,
    }),
  ),
})
export const Message = v.object({
  id,
  leadId: id,
  instanceName: v.nullable(v.string()),
  direction: v.picklist(['incoming', 'outgoing']),
  author: v.picklist(['lead', 'human', 'campaign', 'agent']),
  kind: v.string(),
  text: v.string(),
  isDeleted: v.boolean(),
  delivery: v.nullable(v.picklist(['queued', 'sent', 'delivered', 'read', 'failed', 'unknown'])),
  sentAt: instant,
})
export const Broker = v.object({
  id: v.pipe(v.string(), v.uuid()),
  username: v.string(),
  instanceName: v.string(),
  isCentral: v.boolean(),
  isConnected: v.boolean(),
  pausedUntil: v.nullable(instant),
})
export const Rotation = v.object({
  id,
  development: v.string(),
  isActive: v.boolean(),
  seats: v.array(
    v.object({
      instanceName: v.string(),
      isActive: v.boolean(),
      weight: v.pipe(v.number(), v.integer()),
      dailyCap: v.nullable(v.pipe(v.number(), v.integer())),
      leads: v.pipe(v.number(), v.integer()),
    }),
  ),
})
export const Event = v.object({
  id,
  messageId: v.pipe(v.string(), v.uuid()),
  webhookId: v.pipe(v.string(), v.uuid()),
  type: v.picklist(EVENT_TYPES),
  data: v.record(v.string(), v.unknown()),
  happenedAt: instant,
  state: v.picklist(['waiting', 'delivered', 'skipped']),
  tries: v.pipe(v.number(), v.integer()),
  status: v.nullable(v.pipe(v.number(), v.integer())),
})
export const PageQuery = v.strictObject({ ...paging })

export const TakenLead = v.object({ id: v.nullable(id), isRepeat: v.boolean() })
export const ChangedLead = v.object({
  id,
  stage: v.string(),
  isMoved: v.boolean(),
  isNoted: v.boolean(),
})
export const QueuedMessage = v.object({
  id,
  leadId: id,
  instanceName: v.string(),
  delivery: v.picklist(['queued']),
})
/** RFC 9457, with the portal's own code. */
export const Problem = v.object({
  type: v.string(),
  title: v.string(),
  status: v.pipe(v.number(), v.integer()),
  detail: v.string(),
  code: v.string(),
})

export const pageOf = <T extends v.GenericSchema>(item: T) =>
  v.object({ data: v.array(item), nextCursor: v.nullable(v.string()) })
