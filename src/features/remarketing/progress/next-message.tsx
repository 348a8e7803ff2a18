// Counts down to the next message, and tells when the last one is expected.
import { useEffect, useState } from 'react'
import type { ActiveCampaign } from '../campaigns-data.ts'
import { formatNumber } from '#domain/count.ts'
import { formatMoment } from '#domain/format.ts'
import { begins, endsAround, goesOn } from '../texts.ts'

const notReceived = (count: number) =>
  count === 1 ? 'Pausada. 1 ainda não recebeu.' : `Pausada. ${formatNumber(count)} ainda não receberam.`

const remain = (count: number) => (count === 1 ? 'Falta 1' : `Faltam ${formatNumber(count)}`)

const nextIn = (seconds: number) => `Próximo envio em ${seconds} s`

const SECOND_MS = 1_000
/** A wait of at most this length is shown as a countdown in seconds. */
const COUNTED_MS = 120_000

export function NextMessage({ campaign }: { campaign: ActiveCampaign }) {
  const nowMs = useSeconds()
  const { status, nextAtMs, scheduledAtMs, endsAtMs } = campaign
  const end = endsAtMs !== null && endsAround(formatMoment(endsAtMs, nowMs))
  return (
    <span className="tabular-nums">
      {[soon(), status === 'running' && remain(campaign.waitingCount), status !== 'paused' && end]
        .filter(Boolean)
        .join(' · ')}
    </span>
  )

  function soon(): string | false {
    if (status === 'scheduled') return scheduledAtMs !== null && begins(formatMoment(scheduledAtMs, nowMs))
    if (status === 'paused') return notReceived(campaign.waitingCount)
    const waitMs = (nextAtMs ?? 0) - nowMs
    // Another line tells why the campaign waits and until when.
    if (campaign.waitReason !== null && waitMs > 0) return false
    if (waitMs <= 0) return 'Enviando agora'
    return waitMs <= COUNTED_MS
      ? nextIn(Math.ceil(waitMs / SECOND_MS))
      : goesOn(formatMoment(nextAtMs ?? 0, nowMs))
  }
}

function useSeconds(): number {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const ticking = setInterval(() => setNowMs(Date.now()), SECOND_MS)
    return () => clearInterval(ticking)
  }, [])
  return nowMs
}
