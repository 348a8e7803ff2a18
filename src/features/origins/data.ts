// Reads the costs by origin and the leads that they count, and writes what was spent.
import { infiniteQueryOptions, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import { cachedOffline } from '#data/cached-offline.ts'
import { keys } from '#data/keys.ts'
import { toRefusal } from '#data/refusal.ts'
import type { OriginLine } from '#domain/origins/costs.ts'
import type { SpendLine } from '#domain/origins/spend-file.ts'

/** `month`: 'YYYY-MM'. `team` null: all teams. */
export type Question = { month: string; team: string | null }

const number = v.nullable(v.number())
const FiguresRow = v.object({
  leads: v.number(),
  answered: v.number(),
  visits: v.number(),
  sales: v.number(),
  untold: v.number(),
  paidLeads: v.number(),
  paidAnswered: v.number(),
  paidVisits: v.number(),
  paidSales: v.number(),
  cents: number,
  isWhole: v.boolean(),
  perLead: number,
  perAnswer: number,
  perVisit: number,
  perSale: number,
})
const OriginRow = v.object({
  ...FiguresRow.entries,
  origin: v.string(),
  campaigns: v.array(v.object({ ...FiguresRow.entries, campaign: v.string(), name: v.string() })),
})
const ForeignRow = v.object({
  ...FiguresRow.entries,
  currency: v.string(),
  origin: v.string(),
  campaign: v.nullable(v.string()),
  name: v.nullable(v.string()),
})

export type Origin = OriginLine & { campaigns: readonly OriginLine[] }
export type ForeignLine = OriginLine & { currency: string }

const OriginsRow = v.pipe(
  v.object({
    at: v.string(),
    isAdmin: v.boolean(),
    teamNames: v.array(v.object({ id: v.string(), name: v.string() })),
    total: FiguresRow,
    before: FiguresRow,
    origins: v.array(OriginRow),
    others: v.array(ForeignRow),
  }),
  v.transform(({ origins, others, ...rest }) => ({
    ...rest,
    origins: origins.map(({ origin, campaigns, ...figures }): Origin => ({
      origin,
      campaign: null,
      name: '',
      figures,
      campaigns: campaigns.map(({ campaign, name, ...own }) => ({ origin, campaign, name, figures: own })),
    })),
    others: others.map(({ currency, origin, campaign, name, ...figures }): ForeignLine => ({
      currency,
      origin,
      campaign,
      name: name ?? '',
      figures,
    })),
  })),
)
export type Origins = v.InferOutput<typeof OriginsRow>

const toArgs = ({ month, team }: Question) => ({ p_month: `${month}-01`, p_team: team })

export function originsQuery(question: Question) {
  return queryOptions({
    queryKey: keys.origins('figures', question),
    queryFn: cachedOffline({ kind: 'origins', most: 6, version: 1 }, async ({ signal }) =>
      v.parse(OriginsRow, await rpc('get_origins', toArgs(question), signal)),
    ),
    refetchOnMount: 'always',
  })
}

/**
 * The counts that open a list of leads. `origin` null: of all origins. `isPaid`: only leads that money was spent for.
 */
export const ORIGIN_FIGURES = ['leads', 'answered', 'visits', 'sales', 'untold'] as const
export type OriginFigure = {
  name: (typeof ORIGIN_FIGURES)[number]
  origin: string | null
  campaign: string | null
  isPaid: boolean
}

const text = v.nullable(v.string())
const ListRow = v.object({
  count: v.number(),
  leads: v.array(
    v.object({
      id: v.number(),
      name: text,
      number: text,
      broker: text,
      source: v.string(),
      campaign: v.string(),
      at: v.pipe(
        v.string(),
        v.transform((iso) => Date.parse(iso)),
      ),
      cents: number,
    }),
  ),
})
export type OriginLead = v.InferOutput<typeof ListRow>['leads'][number]

const PAGE = 50

export function originLeadsQuery({ name, origin, campaign, isPaid }: OriginFigure, question: Question) {
  return infiniteQueryOptions({
    queryKey: keys.origins('leads', { name, origin, campaign, isPaid }, question),
    queryFn: async ({ pageParam, signal }) =>
      v.parse(
        ListRow,
        await rpc(
          'get_origin_leads',
          {
            ...toArgs(question),
            p_figure: name,
            p_origin: origin,
            p_campaign: campaign,
            p_is_paid: isPaid,
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

const MonthsRow = v.array(
  v.object({
    month: v.string(),
    cents: number,
    how: v.nullable(v.picklist(['typed', 'file'])),
    by: text,
    at: text,
  }),
)
export type SpendMonth = v.InferOutput<typeof MonthsRow>[number]

/** The spend of a campaign ('' for the whole origin) in a month and the two before. */
export function spendMonthsQuery(line: { origin: string; campaign: string }, month: string) {
  return queryOptions({
    queryKey: keys.origins('months', line, month),
    queryFn: async ({ signal }) =>
      v.parse(
        MonthsRow,
        await rpc(
          'get_spend_months',
          { p_origin: line.origin, p_campaign: line.campaign, p_month: `${month}-01` },
          signal,
        ),
      ),
  })
}

const refuse = (error: unknown): never => {
  throw toRefusal(error)
}

const readAgain = (client: QueryClient) => client.invalidateQueries({ queryKey: keys.origins() })

/** `cents` null removes the amount. Rejects with the server's message if the amount is refused. */
export function saveSpend(line: { origin: string; campaign: string }) {
  return mutationOptions({
    mutationFn: async ({ month, cents }: { month: string; cents: number | null }, { client }) => {
      await rpc('set_spend', {
        p_origin: line.origin,
        p_campaign: line.campaign,
        p_month: `${month}-01`,
        p_cents: cents,
      }).catch(refuse)
      await readAgain(client)
    },
  })
}

const Imported = v.object({
  saved: v.number(),
  replaced: v.number(),
  refused: v.array(v.object({ place: v.number(), reason: v.string() })),
})
export type ImportedSpend = v.InferOutput<typeof Imported>

export function importSpend() {
  return mutationOptions({
    mutationFn: async (lines: readonly SpendLine[], { client }): Promise<ImportedSpend> => {
      const imported = v.parse(Imported, await rpc('import_spend', { p_lines: lines }).catch(refuse))
      await readAgain(client)
      return imported
    },
  })
}

const ClickRow = v.object({
  id: v.number(),
  name: text,
  number: text,
  source: v.string(),
  campaign: text,
  kind: v.string(),
  value: v.string(),
  at: v.string(),
})
const Clicks = v.object({ count: v.number(), clicks: v.array(ClickRow) })
export type Click = v.InferOutput<typeof ClickRow>

const clicksOf = async (month: string, skip: number, signal?: AbortSignal) =>
  v.parse(Clicks, await rpc('get_click_codes', { p_month: `${month}-01`, p_skip: skip }, signal))

/** The newest click ids of a month, and how many there are. */
export function clicksQuery(month: string) {
  return queryOptions({
    queryKey: keys.origins('clicks', month),
    queryFn: ({ signal }) => clicksOf(month, 0, signal),
  })
}

/** All click ids of a month. */
export function allClicks(month: string) {
  return mutationOptions({
    mutationFn: async (): Promise<Click[]> => {
      const all: Click[] = []
      for (;;) {
        const { count, clicks } = await clicksOf(month, all.length)
        all.push(...clicks)
        if (clicks.length === 0 || all.length >= count) return all
      }
    },
  })
}
