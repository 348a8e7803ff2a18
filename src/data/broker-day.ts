// How a broker answers today: how many leads, how fast, and how long others have waited within working hours.
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
  // Missing if the server is older than the app.
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
    // Leads begin and stop to wait as time passes, which no live event reports, so the query polls.
    refetchInterval: MINUTE_MS,
  })

export type CountedOf = ReadonlyMap<number, Counted>

/** A store outside the query cache, so that cards need no query observer each. */
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

/** Tells how long each lead has waited by the server's count. Leads without an entry were not counted. */
export const useCounted = (): CountedOf => useSyncExternalStore(subscribe, read, read)
