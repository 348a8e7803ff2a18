// What can be done about a campaign from its results: held for good, gone on with, the failed ones sent again. Spec 2.18; PRODUCT.md 4.4.
import { Play, RotateCw, Square } from 'lucide-react'
import type { Wish } from '#data/campaigns.ts'
import { useIsOnline } from '#data/connectivity.ts'
import type { Campaign, CampaignStatus } from '#domain/campaign.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/toast.ts'
import { RESUME_FAILED, RETRY_FAILED, RETRYING, STOP_CAMPAIGN, STOPPED } from './texts.ts'
import { useSteering } from './use-steering.ts'

const UNDER_WAY = new Set<CampaignStatus>(['scheduled', 'running', 'paused'])

type ResultActionsProps = { campaign: Campaign; onSteered: () => void }

export function ResultActions({ campaign, onSteered }: ResultActionsProps) {
  const { status, outcomes } = campaign
  const isOnline = useIsOnline()
  const { steer, stop, isBusy } = useSteering(campaign)
  const tell = (done: string) => () => {
    toast(done)
    onSteered()
  }
  const send = (wish: Wish) => steer(wish, tell(RETRYING))
  return (
    <div className="flex flex-wrap gap-2 *:grow empty:hidden">
      {UNDER_WAY.has(status) && (
        <Button
          variant="dangerLine"
          icon={Square}
          disabled={!isOnline}
          busy={isBusy('stop') && STOP_CAMPAIGN}
          onClick={() => stop(outcomes.waiting, tell(STOPPED))}
        >
          {STOP_CAMPAIGN}
        </Button>
      )}
      {status === 'error' && outcomes.waiting > 0 && (
        <Button
          variant="soft"
          icon={Play}
          disabled={!isOnline}
          busy={isBusy('resume') && RESUME_FAILED}
          onClick={() => send('resume')}
        >
          {RESUME_FAILED}
        </Button>
      )}
      {outcomes.failed > 0 && (
        <Button
          variant="soft"
          icon={RotateCw}
          disabled={!isOnline}
          busy={isBusy('retry') && RETRY_FAILED}
          onClick={() => send('retry')}
        >
          {RETRY_FAILED}
        </Button>
      )}
    </div>
  )
}
