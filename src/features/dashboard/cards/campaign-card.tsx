// 'Leads por Campanhas': one bar per campaign, the largest first, the rest on request.
import { useState } from 'react'
import { formatNumber } from '#domain/count.ts'
import { barCaption, campaignParts, cutCampaign, type Part } from '#domain/dashboard/chart-parts.ts'
import { type Count, formatPercent } from '#domain/dashboard/dashboard.ts'
import { COARSE, useMedia } from '#ui/media.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Chart } from '#ui/charts/chart.tsx'
import { ChartCard } from './chart-card.tsx'
import { openLeads } from '../texts.ts'

const CAMPAIGN_CHART = 'Leads por Campanhas'

const ROW_PX = 36
/** On a touch screen a row is a target of its own. */
const TOUCHED_ROW_PX = 44
const FIRST_SHOWN = 6

/** Leads without a campaign belong to no bar, so a bar's share is of the leads with a campaign, not of all leads. */
const shareOf = (parts: readonly Part[]) => {
  const all = parts.reduce((sum, { count }) => sum + count, 0)
  return `% ${all === 1 ? 'do lead' : `dos ${formatNumber(all)} leads`} com campanha`
}

type CampaignCardProps = { campaigns: readonly Count[]; onOpen: (campaign: string) => void }

export function CampaignCard({ campaigns, onOpen }: CampaignCardProps) {
  const [isWhole, setWhole] = useState(false)
  const rowPx = useMedia(COARSE) ? TOUCHED_ROW_PX : ROW_PX
  const parts = campaignParts(campaigns)
  const most = parts[0]?.count ?? 0
  const points = parts.slice(0, isWhole ? undefined : FIRST_SHOWN).map((part) => ({
    key: part.value,
    label: part.label,
    size: part.count,
    caption: barCaption(part, most),
    count: formatNumber(part.count),
    share: formatPercent(part.share * 100),
  }))
  return (
    <ChartCard title={CAMPAIGN_CHART} hint={shareOf(parts)} isEmpty={parts.length === 0}>
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)_auto] gap-x-3 md:grid-cols-[minmax(0,12rem)_minmax(0,1fr)_auto]">
        <ul>
          {points.map(({ key, label, count, share }) => (
            <li key={key} className="flex" style={{ height: rowPx }}>
              <button
                type="button"
                title={label}
                onClick={() => onOpen(key)}
                className="-ml-2 min-w-0 grow truncate rounded-sm pl-2 text-left text-14 hover:bg-surface-2"
              >
                <span className="sr-only">{openLeads(label, `${count}, ${share}`)}</span>
                <span aria-hidden>{cutCampaign(label)}</span>
              </button>
            </li>
          ))}
        </ul>
        <div className="min-w-0">
          <Chart
            kind="bars"
            height={points.length * rowPx}
            points={points}
            onChoose={onOpen}
            heads={{ name: CAMPAIGN_CHART, part: 'Campanha', count: 'Leads', share: shareOf(parts) }}
          />
        </div>
        <ul aria-hidden>
          {points.map(({ key, count }) => (
            <li
              key={key}
              className="flex items-center justify-end text-14 font-medium tabular-nums"
              style={{ height: rowPx }}
            >
              {count}
            </li>
          ))}
        </ul>
      </div>
      {parts.length > FIRST_SHOWN && (
        <div className="self-start">
          <Button variant="ghost" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Mostrar menos' : `Mostrar todas (${parts.length})`}
          </Button>
        </div>
      )}
    </ChartCard>
  )
}
