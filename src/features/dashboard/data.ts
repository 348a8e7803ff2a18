// Reads the dashboard's figures of a period. (figure-leads-data.ts reads the leads behind each figure.)
import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import type {
  Dashboard,
  Kpi,
  ResponseLine,
  ResponseTimes,
  ValueAndLosses,
} from '#domain/dashboard/dashboard.ts'
import { type DaySpan, toWire } from '#domain/dashboard/period.ts'
import { cachedOffline } from '#data/cached-offline.ts'
import { keys } from '#data/keys.ts'

/** An empty list of brokers or developments does not restrict the figures; then leads without a broker count too. */
export type LeadFilter = { span: DaySpan; brokers: readonly string[]; developments: readonly string[] }

const REFRESH_MS = 60_000

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

/** Reads the figures of the last 30 days, which are read again at every visit of the page. */
export function overviewQuery() {
  return queryOptions({
    queryKey: keys.dashboard('overview'),
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
    queryKey: keys.dashboard('filtered', filter),
    queryFn: cachedOffline({ kind: 'dashboard', most: 6, version: 1 }, async ({ signal }) =>
      v.parse(DashboardRow, await rpc('get_dashboard_data_by_params', args, signal)),
    ),
    refetchOnMount: 'always',
    refetchInterval: REFRESH_MS,
  })
}

export const toArgs = ({ span, brokers, developments }: LeadFilter) => {
  const { start, end } = toWire(span)
  return { p_broker_names: brokers, p_empreendimentos: developments, p_data_inicio: start, p_data_fim: end }
}

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
    queryKey: keys.dashboard('response-times', filter),
    queryFn: cachedOffline({ kind: 'response-times', most: 6, version: 2 }, async ({ signal }) =>
      v.parse(ResponseRow, await rpc('get_response_times', toArgs(filter), signal)),
    ),
    refetchOnMount: 'always',
    refetchInterval: REFRESH_MS,
  })
}

const TrendRow = v.object({
  step: v.picklist(['day', 'week', 'month', 'year']),
  points: v.array(v.object({ from: v.string(), to: v.string(), leads: count, answered: count })),
})

export type Trend = v.InferOutput<typeof TrendRow>

/** Reads how many leads arrived in each step of the period, and how many of them a person answered. */
export function trendQuery(filter: LeadFilter) {
  return queryOptions({
    queryKey: keys.dashboard('trend', filter),
    queryFn: cachedOffline({ kind: 'trend', most: 6, version: 1 }, async ({ signal }) =>
      v.parse(TrendRow, await rpc('get_lead_trend', toArgs(filter), signal)),
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
    queryKey: keys.dashboard('value', filter),
    queryFn: cachedOffline(
      { kind: 'value', most: 6, version: 1 },
      async ({ signal }): Promise<ValueAndLosses> =>
        v.parse(ValueRow, await rpc('get_value_and_losses', toArgs(filter), signal)),
    ),
    refetchOnMount: 'always',
    refetchInterval: REFRESH_MS,
  })
}

/** True if the agent used the model before the model had a price, so that the cost is not complete. */
const isUnpriced = v.optional(v.boolean(), false)
const CostRow = v.object({
  agents: v.array(
    v.object({
      id: count,
      name: v.string(),
      /** True for a deleted agent, whose past work and cost are still shown. */
      isRemoved: v.boolean(),
      micros: count,
      benchMicros: count,
      conversations: count,
      answers: count,
      isUnpriced,
    }),
  ),
  voices: v.object({ count, micros: count, isUnpriced }),
  /** Null for named developments: no summary belongs to one. */
  summaries: v.nullable(
    v.object({ count, inputTokens: count, outputTokens: count, micros: count, isUnpriced }),
  ),
})

export type AgentCost = v.InferOutput<typeof CostRow>['agents'][number]

/**
 * Reads what each agent cost, in millionths of a real. Costs cannot be split by broker, so the broker filter is not
 * sent.
 */
export function agentCostsQuery({ span, developments }: Omit<LeadFilter, 'brokers'>) {
  const { start, end } = toWire(span)
  const args = { p_empreendimentos: developments, p_data_inicio: start, p_data_fim: end }
  return queryOptions({
    queryKey: keys.dashboard('agent-costs', { span, developments }),
    queryFn: cachedOffline({ kind: 'agent-costs', most: 6, version: 4 }, async ({ signal }) =>
      v.parse(CostRow, await rpc('get_agent_costs', args, signal)),
    ),
    refetchOnMount: 'always',
    refetchInterval: REFRESH_MS,
  })
}
