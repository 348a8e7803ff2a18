// Who waits for a first answer now, and how fast today's leads were taken up.
import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import { laterKeys } from '#data/later-keys.ts'

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
      }),
      v.transform(({ receivedAt, offeredAt, acceptedAt, ...lead }) => ({
        ...lead,
        receivedAtMs: receivedAt,
        offeredAtMs: offeredAt,
        acceptedAtMs: acceptedAt,
      })),
    ),
  ),
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
      won: v.number(),
      value: v.number(),
    }),
  ),
})

export type Clocks = v.InferOutput<typeof ClocksRow>
export type WaitingLead = Clocks['risk'][number]
export type BrokerLine = Clocks['brokers'][number]

/** No live event tells an administrator of every board. */
const LOOK_AGAIN_MS = 10_000

export function clocksQuery() {
  return queryOptions({
    queryKey: laterKeys.dashboard('now'),
    queryFn: async ({ signal }) => v.parse(ClocksRow, await rpc('get_clocks', {}, signal)),
    refetchInterval: LOOK_AGAIN_MS,
    refetchOnMount: 'always',
  })
}
