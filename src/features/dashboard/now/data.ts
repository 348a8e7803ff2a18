// Reads which leads wait for a first response now, and today's response times.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import { keys } from '#data/keys.ts'
import { PortalError } from '#domain/errors.ts'

const timeMs = v.pipe(
  v.string(),
  v.transform((iso) => Date.parse(iso)),
)
const text = v.nullable(v.string())
const seconds = v.nullable(v.number())

const ClocksRow = v.object({
  at: timeMs,
  target: v.number(),
  risk: v.array(
    v.pipe(
      v.object({
        id: v.number(),
        name: text,
        number: text,
        broker: text,
        source: v.string(),
        development: text,
        receivedAt: timeMs,
        offeredAt: v.nullable(timeMs),
        acceptedAt: v.nullable(timeMs),
        dueAt: v.nullable(timeMs),
        twiceAt: v.nullable(timeMs),
        // Missing in responses of the previous release's portal.
        isOpen: v.optional(v.boolean(), true),
        warnedAt: v.nullable(timeMs),
      }),
      v.transform(({ receivedAt, offeredAt, acceptedAt, dueAt, twiceAt, warnedAt, ...lead }) => ({
        ...lead,
        /** When the lead's wait reaches the target, and twice the target. Null if that is more than some days away. */
        dueAtMs: dueAt,
        twiceAtMs: twiceAt,
        /** When an administrator last reminded the broker; null if that was more than ten minutes ago. */
        warnedAtMs: warnedAt,
        receivedAtMs: receivedAt,
        offeredAtMs: offeredAt,
        acceptedAtMs: acceptedAt,
      })),
    ),
  ),
  /**
   * Counts of all waiting leads; `risk` has only the first 100. Missing in responses of the previous release's portal.
   */
  counts: v.optional(v.object({ waiting: v.number(), twice: v.number() })),
  means: v.object({
    answered: v.number(),
    within: v.number(),
    wait: seconds,
    offered: seconds,
    accepted: seconds,
    response: seconds,
  }),
  brokers: v.array(
    v.object({
      broker: v.string(),
      waiting: v.number(),
      received: v.number(),
      answered: v.number(),
      median: seconds,
      withinFive: v.number(),
      booked: v.number(),
      held: v.number(),
      won: v.number(),
      value: v.number(),
    }),
  ),
})

export type Clocks = v.InferOutput<typeof ClocksRow>
export type WaitingLead = Clocks['risk'][number]
export type BrokerLine = Clocks['brokers'][number]

const ListedRow = v.array(
  v.object({
    id: v.number(),
    name: text,
    number: text,
    broker: text,
    source: v.string(),
    development: text,
    receivedAt: timeMs,
    answeredAt: v.nullable(timeMs),
    value: v.nullable(v.number()),
    visitAt: v.nullable(timeMs),
  }),
)
export type ListedLead = v.InferOutput<typeof ListedRow>[number]

/** A number in a broker's row that opens a list: leads, or today's visits. */
export type BrokerFigure = 'waiting' | 'received' | 'answered' | 'withinFive' | 'booked' | 'held' | 'won'

/** Reads the leads that a number in a broker's row counts. */
export function clockLeadsQuery(broker: string, figure: BrokerFigure) {
  return queryOptions({
    queryKey: keys.dashboard('now', broker, figure),
    queryFn: async ({ signal }) =>
      v.parse(ListedRow, await rpc('get_clock_leads', { p_broker: broker, p_figure: figure }, signal)),
    refetchOnMount: 'always',
  })
}

const WarningRow = v.object({ code: v.string(), message: text })

/**
 * Reminds a broker of a waiting lead. The server refuses a second reminder within ten minutes; the error has its text.
 */
export function warnBroker() {
  return mutationOptions({
    mutationFn: async (leadId: number, { client }) => {
      try {
        const { code, message } = v.parse(WarningRow, await rpc('warn_of_lead', { p_contact_id: leadId }))
        if (code !== 'told') throw new PortalError(`warn.${code}`, message ?? '', { status: 409 })
      } finally {
        void client.invalidateQueries({ queryKey: clocksQuery().queryKey })
      }
    },
  })
}

export function changeTarget() {
  return mutationOptions({
    mutationFn: async (minutes: number, { client }) => {
      await rpc('set_answer_target', { p_minutes: minutes })
      await client.invalidateQueries({ queryKey: clocksQuery().queryKey })
    },
  })
}

/** No live event tells an administrator about changes on all boards, so the figures are polled. */
const LOOK_AGAIN_MS = 10_000

export function clocksQuery() {
  return queryOptions({
    queryKey: keys.dashboard('now'),
    queryFn: async ({ signal }) => v.parse(ClocksRow, await rpc('get_clocks', {}, signal)),
    refetchInterval: LOOK_AGAIN_MS,
    refetchOnMount: 'always',
  })
}
