// How many of today's leads a broker answered, and how soon; and how long who waits has waited in hours that count.
import { queryOptions, useQuery } from '@tanstack/react-query'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import { laterKeys } from '#data/later-keys.ts'
import { MINUTE_MS } from '#domain/format.ts'
import type { Counted, CountedOf } from './counted.ts'

const Waiting = v.object({ id: v.number(), counted: v.number(), open: v.boolean() })

const Day = v.pipe(
  v.object({
    answered: v.number(),
    median: v.nullable(v.number()),
    // An older portal counts every hour.
    at: v.optional(v.number(), 0),
    waiting: v.optional(v.array(Waiting), []),
  }),
  v.transform(({ answered, median, at, waiting }) => ({
    answered,
    medianSeconds: median,
    counted: new Map(
      waiting.map(({ id, counted, open }): [number, Counted] => [
        id,
        { atMs: at * 1000, countedMs: counted * 1000, isOpen: open },
      ]),
    ),
  })),
)

export const dayQuery = (instanceName: string) =>
  queryOptions({
    queryKey: laterKeys.brokerDay(instanceName),
    queryFn: async ({ signal }) =>
      v.parse(Day, await rpc('get_broker_day', { p_broker_name: instanceName }, signal)),
    refetchOnMount: 'always',
    // Somebody comes or goes by the clock, which nothing tells of.
    refetchInterval: MINUTE_MS,
  })

const NONE: CountedOf = new Map()

/** By lead; what is not there is not counted yet, or not by this portal. */
export const useCounted = (instanceName: string): CountedOf =>
  useQuery(dayQuery(instanceName)).data?.counted ?? NONE
