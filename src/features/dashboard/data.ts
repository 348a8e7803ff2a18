// The dashboard's figures of a period, and the leads behind each.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import type {
  Dashboard,
  Figure,
  Kpi,
  LeadRow,
  ResponseLine,
  ResponseTimes,
  ValueAndLosses,
} from '#domain/dashboard/dashboard.ts'
import { type DaySpan, toWire } from '#domain/dashboard/period.ts'
import { cachedOffline } from '#data/cached-offline.ts'
import { laterKeys } from '#data/later-keys.ts'

/** Nobody named: all of them, leads of nobody included. */
export type LeadFilter = { span: DaySpan; brokers: readonly string[]; developments: readonly string[] }

const REFRESH_MS = 60_000
/** A page as long as this has another one behind it. */
const PAGE = 20

const KpiRow = v.pipe(
  v.object({
    totalLeads: v.number(),
    avgResponseTimeHours: v.nullable(v.number()),
    avgLeadsPerDay: v.number(),
    conversionRate: v.number(),
    answeredLeads: v.number(),
    unansweredLeads: v.number(),
  }),
  v.transform((row): Kpi => ({
    leadCount: row.totalLeads,
    responseHours: row.avgResponseTimeHours,
    leadsPerDay: row.avgLeadsPerDay,
    conversion: row.conversionRate,
    answeredCount: row.answeredLeads,
    unansweredCount: row.unansweredLeads,
  })),
)

const count = v.number()
const day = v.pipe(
  v.string(),
  v.transform((time) => time.slice(0, 10)),
)
const DashboardRow = v.pipe(
  v.object({
    kpi: KpiRow,
    previous: v.nullable(v.object({ kpi: KpiRow })),
    period: v.object({ start: v.nullable(day), end: v.nullable(day), days: count }),
    charts: v.object({
      statusDistribution: v.array(v.object({ status: v.string(), count })),
      leadSource: v.array(v.object({ source: v.string(), count })),
      leadsByDayOfWeek: v.array(v.object({ day_name: v.string(), day_number: v.number(), count })),
      leadsByCampaign: v.array(v.object({ campaign: v.string(), count })),
    }),
  }),
  v.transform(({ kpi, previous, period, charts }): Dashboard => ({
    kpi,
    previous: previous && previous.kpi,
    span: period.start === null || period.end === null ? null : { from: period.start, to: period.end },
    dayCount: period.days,
    statuses: charts.statusDistribution.map((row) => ({ value: row.status, count: row.count })),
    sources: charts.leadSource.map((row) => ({ value: row.source, count: row.count })),
    days: charts.leadsByDayOfWeek.map((row) => ({
      value: row.day_name,
      dayNumber: row.day_number,
      count: row.count,
    })),
    campaigns: charts.leadsByCampaign.map((row) => ({ value: row.campaign, count: row.count })),
  })),
)

/** The last 30 days, read again whenever it is entered. */
export function overviewQuery() {
  return queryOptions({
    queryKey: laterKeys.dashboard('overview'),
    queryFn: cachedOffline({ kind: 'dashboard', most: 6, version: 1 }, async ({ signal }) =>
      v.parse(DashboardRow, await rpc('get_dashboard_overview_data', {}, signal)),
    ),
    refetchOnMount: 'always',
    refetchInterval: REFRESH_MS,
  })
}

export function filteredQuery(filter: LeadFilter) {
  const { start, end } = toWire(filter.span)
  const args = {
    p_broker_names: filter.brokers,
    p_start_date: start,
    p_end_date: end,
    p_empreendimentos: filter.developments,
  }
  return queryOptions({
    queryKey: laterKeys.dashboard('filtered', filter),
    queryFn: cachedOffline({ kind: 'dashboard', most: 6, version: 1 }, async ({ signal }) =>
      v.parse(DashboardRow, await rpc('get_dashboard_data_by_params', args, signal)),
    ),
    refetchOnMount: 'always',
    refetchInterval: REFRESH_MS,
  })
}

const toArgs = ({ span, brokers, developments }: LeadFilter) => {
  const { start, end } = toWire(span)
  return { p_broker_names: brokers, p_empreendimentos: developments, p_data_inicio: start, p_data_fim: end }
}

const toFigureArgs = (figure: Figure, filter: LeadFilter) => ({
  ...toArgs(filter),
  p_figure: figure.kind,
  p_value: 'value' in figure ? figure.value : null,
})

const Line = v.object({
  answeredLeads: count,
  unansweredLeads: count,
  medianHours: v.nullable(v.number()),
  p90Hours: v.nullable(v.number()),
  withinFiveMinutes: count,
  withinFiveMinutesRate: v.nullable(v.number()),
})

const toLine = (row: v.InferOutput<typeof Line>): ResponseLine => ({
  answeredCount: row.answeredLeads,
  unansweredCount: row.unansweredLeads,
  medianHours: row.medianHours,
  p90Hours: row.p90Hours,
  withinFiveMinutesCount: row.withinFiveMinutes,
  withinFiveMinutes: row.withinFiveMinutesRate,
})

const ResponseRow = v.pipe(
  v.object({ ...Line.entries, wroteUnansweredLeads: count, leftContact: Line }),
  v.transform((row): ResponseTimes => ({
    wrote: toLine({ ...row, unansweredLeads: row.wroteUnansweredLeads }),
    leftContact: toLine(row.leftContact),
  })),
)

export function responseTimesQuery(filter: LeadFilter) {
  return queryOptions({
    queryKey: laterKeys.dashboard('response-times', filter),
    queryFn: cachedOffline({ kind: 'response-times', most: 6, version: 2 }, async ({ signal }) =>
      v.parse(ResponseRow, await rpc('get_response_times', toArgs(filter), signal)),
    ),
    refetchOnMount: 'always',
    refetchInterval: REFRESH_MS,
  })
}

const worth = { leads: count, cents: count }
const ValueRow = v.object({
  open: v.array(v.object({ ...worth, stage: v.string() })),
  won: v.object(worth),
  lost: v.array(v.object({ ...worth, reason: v.string() })),
})

export function valueQuery(filter: LeadFilter) {
  return queryOptions({
    queryKey: laterKeys.dashboard('value', filter),
    queryFn: cachedOffline(
      { kind: 'value', most: 6, version: 1 },
      async ({ signal }): Promise<ValueAndLosses> =>
        v.parse(ValueRow, await rpc('get_value_and_losses', toArgs(filter), signal)),
    ),
    refetchOnMount: 'always',
    refetchInterval: REFRESH_MS,
  })
}

const CostRow = v.object({
  agents: v.array(
    v.object({ name: v.string(), micros: count, benchMicros: count, conversations: count, answers: count }),
  ),
  voices: v.object({ count, micros: count }),
})

export type AgentCost = v.InferOutput<typeof CostRow>['agents'][number]

/** What agents cost, in millionths of a real; a lead's broker does not divide it. */
export function agentCostsQuery({ span, developments }: Omit<LeadFilter, 'brokers'>) {
  const { start, end } = toWire(span)
  const args = { p_empreendimentos: developments, p_data_inicio: start, p_data_fim: end }
  return queryOptions({
    queryKey: laterKeys.dashboard('agent-costs', { span, developments }),
    queryFn: cachedOffline({ kind: 'agent-costs', most: 6, version: 1 }, async ({ signal }) =>
      v.parse(CostRow, await rpc('get_agent_costs', args, signal)),
    ),
    refetchOnMount: 'always',
    refetchInterval: REFRESH_MS,
  })
}

const isOfValue = ({ kind }: Figure) => kind === 'open-value' || kind === 'won-value' || kind === 'lost'

const LeadRows = v.array(
  v.object({
    id: v.number(),
    nome_lead: v.nullable(v.string()),
    number_lead: v.nullable(v.string()),
    created_at: v.string(),
    kanban_lead: v.string(),
    empreendimento: v.nullable(v.string()),
    broker_name: v.nullable(v.string()),
    response_seconds: v.nullable(v.number()),
    waiting_since: v.nullable(v.string()),
  }),
)

export type LeadPage = {
  leads: readonly LeadRow[]
  /** Where the next page begins; null: this was the last one. The time exactly as answered. */
  next: { createdAt: string; id: number } | null
}

function toLeadPage(answer: unknown): LeadPage {
  const page = v.parse(LeadRows, answer)
  const last = page.at(-1)
  return {
    leads: page.map((row) => ({
      id: row.id,
      name: row.nome_lead,
      number: row.number_lead,
      createdAtMs: Date.parse(row.created_at),
      statusSlug: row.kanban_lead,
      development: row.empreendimento,
      instanceName: row.broker_name,
      responseHours: row.response_seconds === null ? null : row.response_seconds / 3600,
      waitingSinceMs: row.waiting_since === null ? null : Date.parse(row.waiting_since),
    })),
    next: last && page.length >= PAGE ? { createdAt: last.created_at, id: last.id } : null,
  }
}

const firstPage = (): LeadPage['next'] => null

/** The leads that make a figure, page by page, the newest first. */
export function figureLeadsQuery(figure: Figure, filter: LeadFilter) {
  const args = toFigureArgs(figure, filter)
  const name = isOfValue(figure) ? 'get_leads_of_value' : 'get_leads_behind_figure'
  return infiniteQueryOptions({
    queryKey: laterKeys.dashboard('leads', figure, filter),
    queryFn: async ({ pageParam, signal }) =>
      toLeadPage(
        await rpc(
          name,
          { ...args, p_cursor: pageParam?.createdAt ?? null, p_id_cursor: pageParam?.id ?? null },
          signal,
        ),
      ),
    initialPageParam: firstPage(),
    getNextPageParam: ({ next }) => next,
  })
}

/** How many all pages have. */
export function figureCountQuery(figure: Figure, filter: LeadFilter) {
  const args = toFigureArgs(figure, filter)
  const name = isOfValue(figure) ? 'count_leads_of_value' : 'count_leads_of_figure'
  return queryOptions({
    queryKey: laterKeys.dashboard('count', figure, filter),
    queryFn: async ({ signal }) => v.parse(count, await rpc(name, args, signal)),
  })
}
