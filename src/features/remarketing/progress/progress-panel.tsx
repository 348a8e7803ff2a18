// 'Campanha em Andamento': shows its progress, recipients and next message, with buttons to pause or stop it.
import { CircleAlert, Clock, Pause, Play, Smartphone, Square } from 'lucide-react'
import type { ActiveCampaign } from '../campaigns-data.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { PAUSE_REASON, sendRatio, WAIT_REASON } from '#domain/campaign.ts'
import { countOf, formatNumber } from '#domain/count.ts'
import { formatMoment } from '#domain/format.ts'
import type { Stage } from '#domain/stage.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { hueOf } from '#ui/primitives/hue.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { useMedia, WIDE } from '#ui/media.ts'
import { useDeviceNow } from '#ui/now.ts'
import { ProgressBar } from '#ui/feedback/progress-bar.tsx'
import { NamedText } from '../composer/named-text.tsx'
import { NextMessage } from './next-message.tsx'
import { begins, goesOn, STOP_CAMPAIGN } from '../texts.ts'
import { useMilestones } from './use-milestones.ts'
import { useSteering } from './use-steering.ts'

const failures = (count: number) => countOf(count, 'falha', 'falhas')

const HEADING = {
  running: 'Campanha em Andamento',
  paused: 'Campanha pausada',
  scheduled: 'Campanha agendada',
}

type ProgressPanelProps = { instanceName: string; campaign: ActiveCampaign; stages: readonly Stage[] }

export function ProgressPanel({ instanceName, campaign, stages }: ProgressPanelProps) {
  const { status, stageSlug, message, recipientCount, sentCount, failedCount, currentName } = campaign
  const stage = stages.find(({ slug }) => slug === stageSlug)
  const isOnline = useIsOnline()
  useMilestones(campaign)
  const ratio = sendRatio(campaign)
  const heading = status === 'paused' || status === 'scheduled' ? HEADING[status] : HEADING.running
  return (
    <>
      <section
        aria-labelledby="campaign-heading"
        className="rounded-dialog bg-surface p-5 shadow-card lg:max-w-160"
      >
        <h1 id="campaign-heading" className="text-20 font-semibold">
          {heading}
        </h1>
        <p className="flex flex-wrap items-baseline gap-x-1.5 pt-5 pb-2.5 text-17 text-text-2">
          <span className="text-44 leading-none font-title tracking-display text-text">
            {formatNumber(sentCount)}
          </span>
          {`de ${countOf(recipientCount, 'enviada', 'enviadas')}`}
          <span className="ml-auto font-medium tabular-nums">{Math.floor(ratio * 100)}%</span>
        </p>
        <ProgressBar label={heading} ratio={ratio} />
        <p className="flex items-start gap-1.5 pt-3 text-14 leading-snug text-text-3">
          <Icon of={Clock} size={18} className="mt-px" />
          {isOnline ? <NextMessage campaign={campaign} /> : 'Sem conexão · o progresso volta com a internet'}
        </p>
        <Reason {...campaign} />
        <div className="mt-4.5 rounded-tab bg-surface-2 px-3.5 py-3">
          <p
            className="flex items-center gap-1.75 pb-1 text-13 text-text-2"
            data-hue={hueOf(stageSlug, stage?.hue)}
          >
            <span aria-hidden className="size-2 shrink-0 rounded-full bg-hue-dot" />
            {stage?.name ?? stageSlug}
            {failedCount > 0 && <span className="ml-auto text-text-3">{failures(failedCount)}</span>}
          </p>
          <p className="line-clamp-3 text-15 leading-message whitespace-pre-wrap wrap-anywhere">
            <NamedText text={message} />
          </p>
        </div>
        {currentName !== null && status === 'running' && (
          <p className="flex items-center gap-3 pt-4 text-14 text-text-2">
            <Avatar name={currentName} size={32} />
            <span className="min-w-0 truncate">
              Enviando para <b className="font-semibold text-text">{currentName}</b>
            </span>
          </p>
        )}
        <Controls instanceName={instanceName} campaign={campaign} isOnline={isOnline} />
      </section>
      {status === 'running' && (
        <p className="flex gap-2 px-1.5 pt-2.5 text-13 leading-message text-text-3 lg:max-w-160">
          <Icon of={Smartphone} size={18} />
          Pode bloquear a tela: o envio continua no servidor.
        </p>
      )}
    </>
  )
}

/** Tells why the campaign is paused. A reason that this version of the app does not know has no text. */
function Reason({ status, pauseReason, waitReason, nextAtMs, sentCount, failedCount }: ActiveCampaign) {
  const nowMs = useDeviceNow()
  const isWide = useMedia(WIDE)
  const reasons: Readonly<Record<string, string>> = {
    ...PAUSE_REASON,
    ...WAIT_REASON,
    ...(isWide && { person: PAUSE_REASON.person.replace('tocar', 'clicar') }),
  }
  const why = reasons[(status === 'paused' ? pauseReason : waitReason) ?? '']
  if (why === undefined) return null
  const goesOnAtMs = status !== 'paused' && nextAtMs !== null && nextAtMs > nowMs ? nextAtMs : null
  const words = goesOnAtMs === null ? why : until(formatMoment(goesOnAtMs, nowMs), why)
  return (
    <output className="mt-3 flex gap-2 rounded-md bg-warning-soft px-3.5 py-2.5 text-14 leading-snug text-on-warning-soft">
      <Icon of={CircleAlert} size={18} />
      {words}
    </output>
  )

  /** For a campaign that has sent nothing yet, the text says that it begins, not that it goes on. */
  function until(moment: string, reason: string): string {
    return sentCount + failedCount === 0 ? begins(moment, reason) : `${reason} ${goesOn(moment)}`
  }
}

type ControlsProps = { instanceName: string; campaign: ActiveCampaign; isOnline: boolean }

function Controls({ instanceName, campaign: { id, status, waitingCount }, isOnline }: ControlsProps) {
  const { steer, stop, isBusy } = useSteering({ id, instanceName })
  const isPaused = status === 'paused'
  const turn = isPaused ? 'resume' : 'pause'
  const words = isPaused ? 'Continuar' : 'Pausar'
  const stopWords = status === 'scheduled' ? 'Cancelar campanha' : STOP_CAMPAIGN
  return (
    <div className="mt-4.5 flex flex-wrap gap-2 *:grow">
      {status !== 'scheduled' && (
        <Button
          variant={isPaused ? 'primary' : 'line'}
          icon={isPaused ? Play : Pause}
          disabled={!isOnline}
          busy={isBusy(turn) && words}
          onClick={() => steer(turn)}
        >
          {words}
        </Button>
      )}
      <Button
        variant="dangerLine"
        icon={Square}
        disabled={!isOnline}
        busy={isBusy('stop') && stopWords}
        onClick={() => stop(waitingCount)}
      >
        {stopWords}
      </Button>
    </div>
  )
}
