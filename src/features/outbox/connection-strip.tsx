// The text of the strip below the top bar, and its button to 'Pendências'.
import { countOf } from '#domain/count.ts'
import { formatRelative } from '#domain/format.ts'
import { CircleAlert, CircleCheck, CloudOff, type LucideIcon, RefreshCw } from 'lucide-react'
import { Banner } from '#ui/primitives/banner.tsx'
import { useDeviceNow } from '#ui/now.ts'
import { OFFLINE } from '#ui/texts.ts'
import type { BarState } from './bar-state.ts'
import { openQueue } from './queue-opening.ts'
import { back, offlineSince, offlineWith, PORTAL_AWAY, toDecide } from './texts.ts'

const pendingChanges = (count: number) => countOf(count, 'alteração pendente', 'alterações pendentes')

const SEE_QUEUE = 'Ver fila'

type ConnectionStripProps = { state: Exclude<BarState, { kind: 'none' }>; updatedAtMs: number | null }

export function ConnectionStrip({ state, updatedAtMs }: ConnectionStripProps) {
  const nowMs = useDeviceNow()
  const since = updatedAtMs === null || updatedAtMs === 0 ? null : updatedAtMs
  const variant: { icon: LucideIcon; text: string; action?: string } = lookOf(state, since, nowMs)
  return (
    <div className="animate-rise">
      <Banner
        tone={state.kind === 'undecided' ? 'warning' : 'dark'}
        icon={variant.icon}
        {...(variant.action && { action: { label: variant.action, run: () => openQueue() } })}
      >
        {variant.text}
        {state.kind === 'offline' && state.queued > 0 && since !== null && (
          <span className="block text-13 font-normal opacity-80">{`Atualizado ${formatRelative(since, nowMs)}`}</span>
        )}
      </Banner>
    </div>
  )
}

function lookOf(state: ConnectionStripProps['state'], since: number | null, nowMs: number) {
  switch (state.kind) {
    case 'offline': {
      const what = navigator.onLine ? PORTAL_AWAY : OFFLINE
      if (state.queued > 0)
        return { icon: CloudOff, text: offlineWith(state.queued, what), action: SEE_QUEUE }
      return { icon: CloudOff, text: since === null ? what : offlineSince(since, nowMs, what) }
    }
    case 'returning':
      return { icon: RefreshCw, text: back(state.queued) }
    case 'sent':
      return { icon: CircleCheck, text: 'Tudo enviado' }
    case 'weak':
      return { icon: CloudOff, text: 'Sinal fraco. Tentando de novo…', action: SEE_QUEUE }
    case 'held':
      return { icon: RefreshCw, text: pendingChanges(state.queued), action: SEE_QUEUE }
    case 'undecided':
      return { icon: CircleAlert, text: toDecide(state.count), action: 'Resolver' }
  }
}
