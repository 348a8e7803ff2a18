// Shows a campaign's state, stage and time as small labels.
import { CAMPAIGN_STATUS, type Campaign, type CampaignStatus } from '#domain/campaign.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { useStageHues } from '#data/board/stage-hues.ts'
import { hueOf } from '#ui/primitives/hue.ts'

const TONE = {
  scheduled: 'primary',
  running: 'info',
  paused: 'warning',
  stopped: 'neutral',
  completed: 'success',
  error: 'danger',
} as const

export function CampaignChip({ status }: { status: CampaignStatus }) {
  return <Badge tone={TONE[status]}>{CAMPAIGN_STATUS[status]}</Badge>
}

/** Shows the stage's name; its slug if the stage no longer has a name. */
export function StageName({ campaign: { stageSlug, stageName } }: { campaign: Campaign }) {
  const hues = useStageHues()
  return (
    <span
      data-hue={hueOf(stageSlug, hues.get(stageSlug))}
      className="inline-flex max-w-full items-center gap-2"
    >
      <span aria-hidden className="size-2 shrink-0 rounded-full bg-hue-dot" />
      <span className="truncate">{stageName ?? stageSlug}</span>
    </span>
  )
}
