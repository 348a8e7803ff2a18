// How many of today's leads a broker answered, and how soon; and how long who waits has waited in hours that count.
import { queryOptions } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import { MINUTE_MS } from '#domain/format.ts'
import type { Counted } from '#domain/next-action/counted.ts'
import { keys } from './keys.ts'

const Waiting = v.object({ id: v.number(), counted: v.number(), open: v.boolean() })

const Day = v.object({
  answered: v.number(),
  median: v.nullable(v.number()),
  // Left out by a portal of before.
  at: v.optional(v.number(), 0),
  waiting: v.optional(v.array(Waiting), []),
})

export const dayQuery = (instanceName: string) =>
  queryOptions({
    queryKey: keys.brokerDay(instanceName),
    queryFn: async ({ signal }) => {
      const answer = await rpc('get_broker_day', { p_broker_name: instanceName }, signal)
      const { answered, median, at, waiting } = v.parse(Day, answer)
      note(
        waiting.map(({ id, counted, open }) => [
          id,
          { atMs: at * 1000, countedMs: counted * 1000, isOpen: open },
        ]),
      )
      return { answered, medianSeconds: median }
    },
    refetchOnMount: 'always',
    // Somebody comes or goes by the clock, which nothing tells of.
    refetchInterval: MINUTE_MS,
  })

export type CountedOf = ReadonlyMap<number, Counted>

/** Beside the queries, of which each card would have to watch one. */
let counted: CountedOf = new Map()
const listeners = new Set<() => void>()

function note(waiting: readonly [number, Counted][]) {
  counted = new Map(waiting)
  for (const listener of listeners) listener()
}

const read = () => counted

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** By lead, as the last answer said it; of whom it says nothing nobody counted. */
export const useCounted = (): CountedOf => useSyncExternalStore(subscribe, read, read)
