// Reads and changes the targets of conversions at Meta, and reads the log of sent events.
import { infiniteQueryOptions, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal, rpc } from '#api/client.ts'
import { keys } from '#data/keys.ts'
import { toRefusal } from '#data/refusal.ts'

export const STATES = ['waiting', 'sent', 'refused', 'late', 'unsure'] as const
export type ConversionState = (typeof STATES)[number]

const Target = v.object({
  target: v.picklist(['messaging', 'crm']),
  state: v.picklist(['off', 'on', 'stopped']),
  fault: v.nullable(v.string()),
  dataset: v.string(),
  waba: v.string(),
  names: v.object({
    qualified: v.optional(v.string(), ''),
    visit: v.optional(v.string(), ''),
    sale: v.optional(v.string(), ''),
  }),
  stage: v.nullable(v.string()),
  tokenTail: v.nullable(v.string()),
  /** The code with which Meta lists events as tests; '' for none. */
  testCode: v.string(),
  counts: v.record(v.string(), v.number()),
})
export type Target = v.InferOutput<typeof Target>

/** Poll interval: no live event reports what Meta answers. */
const NEWS_EVERY_MS = 15_000

export function targetsQuery() {
  return queryOptions({
    queryKey: keys.conversions('targets'),
    queryFn: async ({ signal }) => v.parse(v.array(Target), await rpc('get_conversion_targets', {}, signal)),
    staleTime: 0,
    refetchInterval: NEWS_EVERY_MS,
  })
}

const text = v.nullable(v.string())
const number = v.nullable(v.number())
const timeMs = v.pipe(
  v.string(),
  v.transform((iso) => Date.parse(iso)),
)
const Conversion = v.object({
  id: v.number(),
  leadName: text,
  leadNumber: text,
  step: v.picklist(['qualified', 'visit', 'sale']),
  target: v.picklist(['messaging', 'crm']),
  name: v.string(),
  happenedAt: timeMs,
  state: v.picklist(STATES),
  dueAt: timeMs,
  tries: v.number(),
  status: number,
  code: number,
  subcode: number,
  fault: text,
  trace: text,
  decidedBy: text,
})
export type Conversion = v.InferOutput<typeof Conversion>

const PAGE = 50

/** The events of a state, newest first. Null: of all states. */
export function conversionsQuery(state: ConversionState | null) {
  return infiniteQueryOptions({
    queryKey: keys.conversions('log', state),
    queryFn: async ({ pageParam, signal }) =>
      v.parse(
        v.array(Conversion),
        await rpc('get_conversions', { p_state: state, p_before: pageParam }, signal),
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < PAGE ? null : (page.at(-1)?.id ?? null)),
    staleTime: 0,
    refetchInterval: NEWS_EVERY_MS,
  })
}

const refuse = (error: unknown): never => {
  throw toRefusal(error)
}

const readAgain = (client: QueryClient) => client.invalidateQueries({ queryKey: keys.conversions() })

export type TargetIntent = Pick<Target, 'target' | 'dataset' | 'waba' | 'names' | 'stage' | 'testCode'> & {
  isOn: boolean
  /** '' keeps the stored token. */
  token: string
}

/**
 * Throws PortalError `conversion.token`, `conversion.test`, `conversion.ids`, `conversion.names`,
 * `conversion.incomplete`.
 */
export function saveTarget() {
  return mutationOptions({
    mutationFn: async (intent: TargetIntent, { client }) => {
      const { target, isOn, dataset, waba, names, stage, token, testCode } = intent
      if (token !== '') await portal('/api/conversions/token', { method: 'POST', body: { target, token } })
      await rpc('set_conversion_test', { p_target: target, p_code: testCode }).catch(refuse)
      await rpc('set_conversion_target', {
        p_target: target,
        p_is_on: isOn,
        p_dataset: dataset,
        p_waba: waba,
        p_names: names,
        p_stage: stage,
      }).catch(refuse)
      await readAgain(client)
    },
  })
}

/** Sends an event again, or marks it as sent. Throws PortalError `conversion.decided`. */
export function decideConversion() {
  return mutationOptions({
    mutationFn: async ({ id, decision }: { id: number; decision: 'again' | 'sent' }, { client }) => {
      try {
        await rpc('decide_conversion', { p_id: id, p_decision: decision })
      } catch (error) {
        throw toRefusal(error)
      } finally {
        await readAgain(client)
      }
    },
  })
}

const Replayed = v.object({ again: v.number(), left: v.number(), late: v.number() })
export type Replayed = v.InferOutput<typeof Replayed>

/** Sends all events of a state again, 500 at most; `late` are too old for Meta. */
export function replayConversions() {
  return mutationOptions({
    mutationFn: async (state: 'refused' | 'unsure', { client }): Promise<Replayed> => {
      const replayed = v.parse(Replayed, await rpc('replay_conversions', { p_state: state }).catch(refuse))
      await readAgain(client)
      return replayed
    },
  })
}
