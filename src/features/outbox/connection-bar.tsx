// The strip below the top bar: offline, online again, or entries that need a decision. A press opens 'Pendências'.
import { CircleAlert } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { useWaiting } from '#data/pending.ts'
import { needsDecision } from '#domain/outbox/command.ts'
import type { Stage } from '#domain/stage.ts'
import { Banner } from '#ui/primitives/banner.tsx'
import { useArrival } from '#ui/arrival.ts'
import { lazily, useIdlePreload } from '#ui/lazily.ts'
import { OFFLINE } from '#ui/texts.ts'
import { type BarState, barState } from './bar-state.ts'
import { useQueueOpening } from './queue-opening.ts'

/** A chunk of its own, because the strip is usually empty. */
const strip = lazily(async () => (await import('./connection-strip.tsx')).ConnectionStrip)
const queue = lazily(async () => (await import('./queue-dialog.tsx')).QueueDialog)

/** The strip does not show interruptions shorter than this. */
const AWAY_AFTER_MS = 1_500
const SENT_SHOWN_MS = 2_500

type ConnectionBarProps = {
  stages: readonly Stage[]
  /** When the server sent the shown data; null if the screen shows that time itself. */
  updatedAtMs: number | null
}

export function ConnectionBar({ stages, updatedAtMs }: ConnectionBarProps) {
  const state = useBarState()
  const { isOpen } = useQueueOpening()
  // Once opened, the dialog stays mounted while closed, so that focus returns to the strip.
  const [hasOpened, setOpened] = useState(false)
  if (isOpen && !hasOpened) setOpened(true)
  // The strip's code loads after the board's data.
  const isStripHere = useArrival(strip.load, updatedAtMs !== 0)
  useIdlePreload(queue.load)
  return (
    <>
      <div data-passing className="px-4 pt-2 empty:hidden lg:px-8">
        {isStripHere ? (
          <Suspense>
            {state.kind !== 'none' && <strip.Component state={state} updatedAtMs={updatedAtMs} />}
          </Suspense>
        ) : (
          // Offline the strip's code cannot be loaded, so this short text is shown instead.
          state.kind === 'offline' && (
            <Banner tone="dark" icon={CircleAlert}>
              {OFFLINE}
            </Banner>
          )
        )}
      </div>
      <Suspense>{hasOpened && <queue.Component stages={stages} />}</Suspense>
    </>
  )
}

function useBarState(): BarState {
  const waiting = useWaiting()
  const queued = waiting.filter(({ state }) => state === 'queued')
  const isAway = useLasting(!useIsOnline())
  const [isReturning, setReturning] = useState(false)
  if (isAway && queued.length > 0 && !isReturning) setReturning(true)
  const isOver = isReturning && !isAway && queued.length === 0
  useEffect(() => {
    if (!isOver) return undefined
    const timer = setTimeout(() => setReturning(false), SENT_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isOver])
  const held = queued.map(({ failure }) => failure)
  return barState({
    isAway,
    isReturning,
    queued: queued.length,
    undecided: waiting.filter(needsDecision).length,
    isHeldBy: held.includes('network') ? 'network' : held.includes('server') ? 'server' : null,
  })
}

/** True once `isSo` has been true for a while. */
function useLasting(isSo: boolean): boolean {
  const [lasts, setLasts] = useState(false)
  if (!isSo && lasts) setLasts(false)
  useEffect(() => {
    if (!isSo) return undefined
    const timer = setTimeout(() => setLasts(true), AWAY_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isSo])
  return isSo && lasts
}
