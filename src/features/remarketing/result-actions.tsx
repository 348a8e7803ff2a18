// What can be done about a campaign from its results: held for good, gone on with, the failed ones sent again. Spec 2.18; PRODUCT.md 4.4.
import { useMutation } from '@tanstack/react-query'
import { Play, RotateCw, Square } from 'lucide-react'
import { steerCampaign, type Wish } from '#data/campaigns.ts'
import { useIsOnline } from '#data/connectivity.ts'
import type { Campaign, CampaignStatus } from '#domain/campaign.ts'
import { ask } from '#ui/ask.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/toast.ts'
import {
  KEEP_SENDING,
  notReached,
  RESUME_FAILED,
  RETRY_FAILED,
  RETRYING,
  STEER_FAILED,
  STOP,
  STOP_CAMPAIGN,
  STOP_QUESTION,
  STOPPED,
} from './texts.ts'

const UNDER_WAY = new Set<CampaignStatus>(['scheduled', 'running', 'paused'])

type ResultActionsProps = { campaign: Campaign; onSteered: () => void }

export function ResultActions({ campaign, onSteered }: ResultActionsProps) {
  const { id, status, instanceName, outcomes } = campaign
  const isOnline = useIsOnline()
  const { mutate, isPending, variables } = useMutation(steerCampaign(instanceName))
  const steer = (wish: Wish, done: string) => {
    const onSuccess = () => {
      toast(done)
      onSteered()
    }
    const onError = ({ message }: Error) => toast(message ? `Erro: ${message}` : STEER_FAILED)
    mutate({ id, wish }, { onSuccess, onError })
  }
  const stop = () =>
    ask({
      question: STOP_QUESTION,
      consequence: notReached(outcomes.waiting),
      action: { label: STOP, run: () => steer('stop', STOPPED) },
      cancelLabel: KEEP_SENDING,
    })
  const isBusy = (wish: Wish) => isPending && variables.wish === wish
  return (
    <div className="flex flex-wrap gap-2 *:grow empty:hidden">
      {UNDER_WAY.has(status) && (
        <Button
          variant="dangerLine"
          icon={Square}
          disabled={!isOnline}
          busy={isBusy('stop') && STOP_CAMPAIGN}
          onClick={stop}
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
          onClick={() => steer('resume', RETRYING)}
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
          onClick={() => steer('retry', RETRYING)}
        >
          {RETRY_FAILED}
        </Button>
      )}
    </div>
  )
}
