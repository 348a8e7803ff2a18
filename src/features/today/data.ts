// How many of today's leads a broker answered, and how soon.
import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import { laterKeys } from '#data/later-keys.ts'

const Day = v.pipe(
  v.object({ answered: v.number(), median: v.nullable(v.number()) }),
  v.transform(({ answered, median }) => ({ answered, medianSeconds: median })),
)

export const dayQuery = (instanceName: string) =>
  queryOptions({
    queryKey: laterKeys.brokerDay(instanceName),
    queryFn: async ({ signal }) =>
      v.parse(Day, await rpc('get_broker_day', { p_broker_name: instanceName }, signal)),
    refetchOnMount: 'always',
  })
