// The buttons for a campaign in its results: stop, resume, send failed messages again.
import { Play, RotateCw, Square } from 'lucide-react'
import { useIsOnline } from '#data/connectivity.ts'
import type { Campaign, CampaignStatus } from '#domain/campaign.ts'
import { Button } from '#ui/primitives/button.tsx'
import { RETRYING, STOP_CAMPAIGN } from '../texts.ts'
import { useSteering } from '../progress/use-steering.ts'

const RESUME_FAILED = 'Continuar campanha'

const RETRY_FAILED = 'Enviar de novo para quem falhou'

const DONE = { stop: 'Campanha parada', resume: RETRYING, retry: RETRYING }
const UNDER_WAY = new Set<CampaignStatus>(['scheduled', 'running', 'paused'])

type ResultActionsProps = { campaign: Campaign; onSteered: () => void }

export function ResultActions({ campaign, onSteered }: ResultActionsProps) {
  const { status, outcomes } = campaign
  const isOnline = useIsOnline()
  const { steer, stop, isBusy } = useSteering(campaign, DONE)
  return (
    <div className="flex flex-wrap gap-2 *:grow empty:hidden">
      {UNDER_WAY.has(status) && (
        <Button
          variant="dangerLine"
          icon={Square}
          disabled={!isOnline}
          busy={isBusy('stop') && STOP_CAMPAIGN}
          onClick={() => stop(outcomes.waiting, onSteered)}
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
          onClick={() => steer('resume', onSteered)}
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
          onClick={() => steer('retry', onSteered)}
        >
          {RETRY_FAILED}
        </Button>
      )}
    </div>
  )
}
