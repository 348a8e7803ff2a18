// Reads the options of a dashboard filter, the stages' names, and the leads that rotations distributed.
import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import type { Development, DistributedLead } from '#domain/dashboard/dashboard.ts'
import { type DaySpan, toWire } from '#domain/dashboard/period.ts'
import type { Stage } from '#domain/stage.ts'
import { cachedOffline } from '#data/cached-offline.ts'
import { keys } from '#data/keys.ts'
import { stagesQuery } from '#data/board/stage-changes.ts'

const DevelopmentRows = v.array(
  v.pipe(
    v.object({ empreendimento: v.string(), lead_count: v.number() }),
    v.transform((row): Development => ({ name: row.empreendimento, leadCount: row.lead_count })),
  ),
)

export function developmentsQuery() {
  return queryOptions({
    queryKey: keys.dashboard('developments'),
    queryFn: cachedOffline({ kind: 'developments', most: 1, version: 1 }, async ({ signal }) =>
      v.parse(DevelopmentRows, await rpc('get_available_empreendimentos', {}, signal)),
    ),
  })
}

const Names = v.array(v.string())

/** The instance names of the brokers who work on these developments; of all brokers if the list is empty. */
export function developmentBrokersQuery(developments: readonly string[]) {
  return queryOptions({
    queryKey: keys.dashboard('brokers', developments),
    queryFn: cachedOffline({ kind: 'development-brokers', most: 6, version: 1 }, async ({ signal }) =>
      v.parse(Names, await rpc('get_brokers_by_empreendimento', { p_empreendimentos: developments }, signal)),
    ),
  })
}

/** The names of the stages by their slugs. */
export function stageNamesQuery() {
  return queryOptions({ ...stagesQuery(), select: toNames })
}

const toNames = (stages: readonly Stage[]): ReadonlyMap<string, string> =>
  new Map(stages.map(({ slug, name }) => [slug, name]))

const DistributionRow = v.object({
  total: v.number(),
  leads: v.array(
    v.pipe(
      v.object({
        id: v.number(),
        nome_lead: v.nullable(v.string()),
        number_lead: v.nullable(v.string()),
        created_at: v.string(),
        empreendimento: v.string(),
        broker_name: v.string(),
      }),
      v.transform((row): DistributedLead => ({
        id: row.id,
        name: row.nome_lead,
        number: row.number_lead,
        createdAtMs: Date.parse(row.created_at),
        development: row.empreendimento,
        instanceName: row.broker_name,
      })),
    ),
  ),
})

const NEWS_EVERY_MS = 60_000

/** Reads the newest leads that rotations distributed in these days, and how many there were in total. */
export function distributedLeadsQuery(span: DaySpan) {
  const { start, end } = toWire(span)
  return queryOptions({
    queryKey: keys.dashboard('distributed', span),
    queryFn: cachedOffline({ kind: 'distributed-leads', most: 2, version: 1 }, async ({ signal }) =>
      v.parse(
        DistributionRow,
        await rpc('get_distributed_leads', { p_data_inicio: start, p_data_fim: end }, signal),
      ),
    ),
    refetchOnMount: 'always',
    refetchInterval: NEWS_EVERY_MS,
  })
}
