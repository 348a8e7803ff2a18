// Reads the results of a period, and the leads that a figure counts.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import { cachedOffline } from '#data/cached-offline.ts'
import { keys } from '#data/keys.ts'
import { NOTHING } from '#domain/dashboard/results/figures.ts'
import type { Line } from '#domain/dashboard/results/lines.ts'
import type { DaySpan } from '#domain/dashboard/period.ts'

export type Question = {
  span: DaySpan
  /** The id of the chosen team; null for all teams. */
  team: string | null
  developments: readonly string[]
  sources: readonly string[]
  /** Conversion is the share of leads won within this many days, of those that arrived at least so long ago. */
  days: number
  clock: 'all' | 'open'
}

const text = v.nullable(v.string())
const number = v.nullable(v.number())
const range = v.nullable(v.tuple([v.number(), v.number()]))
const FiguresRow = v.object({
  received: v.number(),
  answered: v.number(),
  answeredRate: number,
  median: number,
  p90: number,
  within: number,
  inTime: v.number(),
  decided: v.number(),
  withinRange: range,
  booked: v.number(),
  held: v.number(),
  missed: v.number(),
  untold: v.number(),
  heldRate: number,
  heldRange: range,
  won: v.number(),
  cents: v.number(),
  cohort: v.number(),
  converted: v.number(),
  conversion: number,
  conversionRange: range,
  sameMix: number,
  rank: number,
  lost: v.number(),
  waiting: v.number(),
  longest: number,
  losses: v.array(v.object({ reason: v.string(), leads: v.number(), percent: number })),
})
const Times = v.object({ now: v.optional(FiguresRow), before: v.optional(FiguresRow) })

const ResultsRow = v.pipe(
  v.object({
    at: v.string(),
    target: v.number(),
    days: v.number(),
    before: v.nullable(v.object({ from: v.string(), to: v.string(), days: v.number() })),
    sources: v.array(v.string()),
    teamNames: v.array(v.object({ id: v.string(), name: v.string() })),
    total: v.nullable(Times),
    teams: v.array(v.object({ team: v.string(), name: v.string(), ...Times.entries })),
    brokers: v.array(v.object({ broker: v.string(), team: text, ...Times.entries })),
  }),
  v.transform(({ total, teams, brokers, before, ...rest }) => {
    const figuresOf = (times: v.InferOutput<typeof Times> | null) => ({
      now: times?.now ?? NOTHING,
      before: before && (times?.before ?? NOTHING),
    })
    const teamOf = (id: string | null) => rest.teamNames.find((team) => team.id === id) ?? null
    return {
      ...rest,
      before,
      total: { broker: null, team: null, ...figuresOf(total) } satisfies Line,
      teams: teams.map(({ team: id, name, ...times }): Line => ({
        broker: null,
        team: { id, name },
        ...figuresOf(times),
      })),
      brokers: brokers.map(({ broker, team, ...times }): Line => ({
        broker,
        team: teamOf(team),
        ...figuresOf(times),
      })),
    }
  }),
)
export type Results = v.InferOutput<typeof ResultsRow>

const toArgs = ({ span, team, developments, sources, days, clock }: Question) => ({
  p_from: span.from,
  p_to: span.to,
  p_team: team,
  p_developments: developments,
  p_sources: sources,
  p_days: days,
  p_clock: clock,
})

export function resultsQuery(question: Question, isCompared: boolean) {
  return queryOptions({
    queryKey: keys.dashboard('results', question, isCompared),
    queryFn: cachedOffline({ kind: 'results', most: 6, version: 1 }, async ({ signal }) =>
      v.parse(ResultsRow, await rpc('get_results', { ...toArgs(question), p_compare: isCompared }, signal)),
    ),
    refetchOnMount: 'always',
  })
}

/** The figures whose leads can be listed, of one broker or of all. */
export const RESULT_FIGURES = [
  'received', 'answered', 'inTime', 'booked', 'held', 'missed', 'untold', 'won', 'cohort', 'converted', 'lost', 'waiting',
] as const // prettier-ignore
export type ResultFigure = {
  name: (typeof RESULT_FIGURES)[number]
  /** The broker's instance name; null for a whole team or for everybody. */
  broker: string | null
  /** The id of the team whose row was opened; null if the list is about the team of the filter. */
  team: string | null
  /** Restricts lost leads to this reason; null for all reasons. */
  part: string | null
}

const ListRow = v.object({
  count: v.number(),
  leads: v.array(
    v.object({
      id: v.number(),
      name: text,
      number: text,
      broker: text,
      source: v.string(),
      development: text,
      at: v.pipe(
        v.string(),
        v.transform((iso) => Date.parse(iso)),
      ),
      seconds: number,
      isAnswered: v.nullable(v.boolean()),
      cents: number,
      part: text,
    }),
  ),
})
export type ResultLead = v.InferOutput<typeof ListRow>['leads'][number]

const PAGE = 50

export function resultLeadsQuery(figure: ResultFigure, question: Question) {
  return infiniteQueryOptions({
    queryKey: keys.dashboard('result-leads', figure, question),
    queryFn: async ({ pageParam, signal }) =>
      v.parse(
        ListRow,
        await rpc(
          'get_result_leads',
          {
            ...toArgs({ ...question, team: figure.team ?? question.team }),
            p_figure: figure.name,
            p_broker: figure.broker,
            p_part: figure.part,
            p_skip: pageParam,
          },
          signal,
        ),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ count }, pages) => (pages.length * PAGE < count ? pages.length * PAGE : null),
    refetchOnMount: 'always',
  })
}
