// Reads the leads behind a dashboard figure: their count, and the list page by page.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import type { Figure, LeadRow } from '#domain/dashboard/dashboard.ts'
import { readSpan } from '#domain/dashboard/period.ts'
import { keys } from '#data/keys.ts'
import { type LeadFilter, toArgs } from './data.ts'

/** Leads per page. A full page may be the last one too; then the next page is empty. */
const PAGE = 20

function toFigureArgs(figure: Figure, filter: LeadFilter) {
  // A step of the trend chart lists all leads of its own days, which are fewer than the filter's.
  if (figure.kind === 'days') {
    const span = readSpan(figure.value) ?? filter.span
    return { ...toArgs({ ...filter, span }), p_figure: 'total', p_value: null }
  }
  return { ...toArgs(filter), p_figure: figure.kind, p_value: 'value' in figure ? figure.value : null }
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
  /** Where the next page starts, with the time exactly as the server sent it. Null after the last page. */
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

/** Reads the leads behind a figure, page by page, newest first. */
export function figureLeadsQuery(figure: Figure, filter: LeadFilter) {
  const args = toFigureArgs(figure, filter)
  const name = isOfValue(figure) ? 'get_leads_of_value' : 'get_leads_behind_figure'
  return infiniteQueryOptions({
    queryKey: keys.dashboard('leads', figure, filter),
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

/** Reads the number of leads on all pages. */
export function figureCountQuery(figure: Figure, filter: LeadFilter) {
  const args = toFigureArgs(figure, filter)
  const name = isOfValue(figure) ? 'count_leads_of_value' : 'count_leads_of_figure'
  return queryOptions({
    queryKey: keys.dashboard('count', figure, filter),
    queryFn: async ({ signal }) => v.parse(v.number(), await rpc(name, args, signal)),
  })
}
