// Writes the report's tables as CSV files.
import type { CampaignStats } from './reports-data.ts'
import { displayName } from '#domain/broker.ts'
import { CAMPAIGN_STATUS, type Campaign, sendRatio } from '#domain/campaign.ts'
import { toCsv } from '#domain/csv.ts'
import { formatDate } from '#domain/format.ts'
import { FIGURE, momentOf } from '../texts.ts'

export const CSV_TYPE = 'text/csv;charset=utf-8'

/** For example 'remarketing-resumo-2026-11-21.csv'. */
export const fileName = (part: string, nowMs = Date.now()) =>
  `remarketing-${part}-${formatDate(nowMs).split('/').toReversed().join('-')}.csv`

const OUTCOMES = [FIGURE.delivered, FIGURE.read, FIGURE.answered, FIGURE.optedOut]
/** Returns the share of sent messages in percent with one decimal, as in the table. */
const rate = (campaign: Parameters<typeof sendRatio>[0]) => Math.round(sendRatio(campaign) * 1000) / 10

export function summaryCsv(stats: readonly CampaignStats[]): string {
  const header = [
    'Corretor',
    'Total de Campanhas',
    'Total de Contatos',
    'Mensagens Enviadas',
    'Taxa de Envio (%)',
    ...OUTCOMES,
  ]
  const rows = stats.map((each) => [
    displayName(each.instanceName),
    each.campaignCount,
    each.recipientCount,
    each.sentCount,
    rate(each),
    ...outcomesOf(each.outcomes),
  ])
  return toCsv(header, rows)
}

export function historyCsv(campaigns: readonly Campaign[]): string {
  const header = ['Data', 'Corretor', 'Kanban', 'Status', 'Enviadas', 'Contatos', ...OUTCOMES, 'Mensagem']
  const rows = campaigns.map((campaign) => [
    momentOf(campaign),
    displayName(campaign.instanceName),
    campaign.stageName ?? campaign.stageSlug,
    CAMPAIGN_STATUS[campaign.status],
    campaign.sentCount,
    campaign.recipientCount,
    ...outcomesOf(campaign.outcomes),
    campaign.message,
  ])
  return toCsv(header, rows)
}

const outcomesOf = ({ delivered, read, answered, optedOut }: CampaignStats['outcomes']) => [
  delivered,
  read,
  answered,
  optedOut,
]
