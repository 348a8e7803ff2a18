// Reads campaign results: past campaigns, totals, and results by contact.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rows, rpc } from '#api/client.ts'
import type { Campaign, RecipientState } from '#domain/campaign.ts'
import { RECIPIENT_STATE } from '#domain/campaign.ts'
import type { Delivery } from '#domain/message/message.ts'
import { Status } from '../campaigns-data.ts'
import { cachedOffline } from '#data/cached-offline.ts'
import { keys } from '#data/keys.ts'
import { DeliveryValue } from '#data/messages/kind.ts'

/** How many rows the server's function get_campaign_history returns per page. */
const PAGE = 30

const HistoryRow = v.object({
  id: v.number(),
  instanceName: v.string(),
  created_at: v.string(),
  kanban_stage: v.string(),
  stage_name: v.nullable(v.string()),
  status: Status,
  pause_reason: v.nullable(v.string()),
  total_contacts: v.number(),
  processed_contacts: v.number(),
  message: v.string(),
  delivered: v.number(),
  read: v.number(),
  answered: v.number(),
  opted_out: v.number(),
  failed: v.number(),
  unknown: v.number(),
  waiting: v.number(),
})

function toCampaign(row: v.InferOutput<typeof HistoryRow>): Campaign {
  const { delivered, read, answered, failed, unknown, waiting } = row
  return {
    id: row.id,
    instanceName: row.instanceName,
    stageSlug: row.kanban_stage,
    stageName: row.stage_name,
    status: row.status,
    pauseReason: row.pause_reason,
    createdAtMs: Date.parse(row.created_at),
    recipientCount: row.total_contacts,
    sentCount: row.processed_contacts,
    message: row.message,
    outcomes: { delivered, read, answered, optedOut: row.opted_out, failed, unknown, waiting },
  }
}

export type CampaignPages = { campaigns: readonly Campaign[]; hasMore: boolean }

/** Reads the first `pages` pages of the campaigns that the user may see, the newest first. */
async function readHistory(pages: number, signal?: AbortSignal): Promise<CampaignPages> {
  const found: v.InferOutput<typeof HistoryRow>[] = []
  for (let page = 0; page < pages; page++) {
    const last = found.at(-1)
    const cursor = last ? { p_cursor: last.created_at, p_id_cursor: last.id } : {}
    const next = v.parse(v.array(HistoryRow), await rpc('get_campaign_history', cursor, signal))
    found.push(...next)
    if (next.length < PAGE) return { campaigns: found.map(toCampaign), hasMore: false }
  }
  return { campaigns: found.map(toCampaign), hasMore: true }
}

/** Reads all campaigns, for an exported file. */
export async function readWholeHistory(): Promise<readonly Campaign[]> {
  return (await readHistory(Infinity)).campaigns
}

const HISTORY = { kind: 'campaign-history', most: 2, version: 1 }

/** Reads the campaigns of one broker. */
export function historyQuery(instanceName: string, pages: number) {
  return queryOptions({
    queryKey: [...keys.campaignResults(instanceName), 'history', pages],
    queryFn: cachedOffline(HISTORY, ({ signal }) => readHistory(pages, signal)),
    placeholderData: keepPreviousData,
  })
}

/** Reads the campaigns of all brokers. */
export function reportQuery(pages: number) {
  return queryOptions({
    queryKey: [...keys.campaignReport(), 'history', pages],
    queryFn: cachedOffline(HISTORY, ({ signal }) => readHistory(pages, signal)),
    placeholderData: keepPreviousData,
  })
}

const StatsRows = v.array(
  v.object({
    broker_id: v.string(),
    instanceName: v.string(),
    total_campaigns: v.number(),
    total_contacts: v.number(),
    processed_contacts: v.number(),
    delivered: v.number(),
    read: v.number(),
    answered: v.number(),
    opted_out: v.number(),
  }),
)

export type CampaignStats = {
  brokerId: string
  instanceName: string
  campaignCount: number
  recipientCount: number
  sentCount: number
  outcomes: Pick<Campaign['outcomes'], 'delivered' | 'read' | 'answered' | 'optedOut'>
}

/** Reads each broker's totals for 'Resumo por Corretor'. */
export function statsQuery() {
  return queryOptions({
    queryKey: [...keys.campaignReport(), 'stats'],
    queryFn: cachedOffline(
      { kind: 'campaign-stats', most: 1, version: 1 },
      async ({ signal }): Promise<readonly CampaignStats[]> =>
        v.parse(StatsRows, await rpc('get_campaign_stats', {}, signal)).map((row) => ({
          brokerId: row.broker_id,
          instanceName: row.instanceName,
          campaignCount: row.total_campaigns,
          recipientCount: row.total_contacts,
          sentCount: row.processed_contacts,
          outcomes: {
            delivered: row.delivered,
            read: row.read,
            answered: row.answered,
            optedOut: row.opted_out,
          },
        })),
    ),
  })
}

const RecipientRows = v.array(
  v.object({
    id: v.number(),
    contact_id: v.nullable(v.number()),
    name: v.nullable(v.string()),
    state: v.fallback(v.picklist(Object.keys(RECIPIENT_STATE) as RecipientState[]), 'unknown'),
    reason: v.nullable(v.string()),
    message: v.nullable(v.object({ delivery: DeliveryValue })),
  }),
)

export type Recipient = {
  id: number
  name: string | null
  state: RecipientState
  reason: string | null
  /** What WhatsApp tells about the message, for example that it was read. Null until the message is sent. */
  delivery: Delivery | null
}

export type RecipientPages = { recipients: readonly Recipient[]; hasMore: boolean }

/** The results that the list of contacts can be restricted to. */
export type RecipientFilter = 'all' | 'failed' | 'unknown' | 'pending' | 'cancelled'

const RECIPIENTS_A_PAGE = 100
const RESULTS_EVERY_MS = 10_000

export function recipientsQuery(
  { id, instanceName }: Pick<Campaign, 'id' | 'instanceName'>,
  filter: RecipientFilter,
  pages: number,
) {
  const most = pages * RECIPIENTS_A_PAGE
  return queryOptions({
    queryKey: [...keys.campaignResults(instanceName), 'recipients', id, filter, pages],
    queryFn: async ({ signal }): Promise<RecipientPages> => {
      const answer = await rows(
        'campaign_recipients',
        {
          select: 'id,contact_id,name,state,reason,message:whatsapp_messages(delivery)',
          campaign_id: `eq.${id}`,
          ...(filter !== 'all' && { state: `eq.${filter}` }),
          order: 'id',
          limit: String(most + 1),
        },
        signal,
      )
      const found = v.parse(RecipientRows, answer).map(({ message, ...row }) => ({
        id: row.id,
        name: row.name,
        state: row.state,
        reason: row.reason,
        // If a person counted the message as sent, the list shows that, not what WhatsApp reported about it.
        delivery: row.state === 'sent' && row.reason !== 'by-hand' ? (message?.delivery ?? null) : null,
      }))
      return { recipients: found.slice(0, most), hasMore: found.length > most }
    },
    // Live events report deliveries only to conversations, so the results are polled.
    refetchInterval: RESULTS_EVERY_MS,
    placeholderData: keepPreviousData,
  })
}
