// The composer's row during a recording: its length, a way to discard it, and the player.
import { ChevronLeft, Square, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { formatDuration } from '#domain/format.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { DISCARD } from '../ground/texts.ts'
import type { Taken } from './use-voice.ts'
import { VoicePlayer } from './voice-player.tsx'
import { CANCEL_PULL, type Voice, type VoiceEvent } from './voice-steps.ts'

const TICK_MS = 200

type VoiceBarProps = { voice: Voice; taken: Taken | null; dispatch: (event: VoiceEvent) => void }

export function VoiceBar({ voice, taken, dispatch }: VoiceBarProps) {
  const isHeld = voice.step !== 'review' && voice.step !== 'idle' && voice.isHeld
  const startedAtMs = voice.step === 'recording' ? voice.startedAtMs : null
  const seconds = useElapsed(startedAtMs)
  const discard = () => dispatch({ kind: 'discard' })
  return (
    <div className="flex min-h-11 min-w-0 grow basis-0 items-center gap-1 rounded-[1.375rem] bg-surface-2 pr-1 pl-1">
      {!isHeld && <IconButton icon={Trash2} label={DISCARD} onClick={discard} />}
      {voice.step === 'review' ? (
        taken && <VoicePlayer {...taken} />
      ) : (
        <>
          <span className="flex items-center gap-2 pl-2 font-medium tabular-nums" role="timer">
            <span aria-hidden className="size-2.5 animate-pulse rounded-full bg-danger" />
            <output className="sr-only">Gravando</output>
            {formatDuration(seconds)}
          </span>
          <span className="flex min-w-0 grow items-center justify-end">
            {isHeld ? (
              <CancelHint voice={voice} />
            ) : (
              <button
                type="button"
                aria-label="Parar"
                onClick={() => dispatch({ kind: 'stop' })}
                className="inline-flex size-11 items-center justify-center rounded-full text-danger"
              >
                <Icon of={Square} size={18} className="fill-current" />
              </button>
            )}
          </span>
        </>
      )}
    </div>
  )
}

/** A hint that moves with the pointer to the point where releasing cancels the recording. */
function CancelHint({ voice }: { voice: Voice }) {
  const pull = voice.step === 'recording' ? Math.max(-CANCEL_PULL, Math.min(0, voice.pull.dx)) : 0
  return (
    <span
      className="flex min-w-0 items-center gap-0.5 pr-3 text-14 text-text-2"
      style={{ transform: `translateX(${pull / 2}px)`, opacity: 1 + pull / (CANCEL_PULL * 1.3) }}
    >
      <Icon of={ChevronLeft} size={16} />
      <span className="truncate">Deslize para cancelar</span>
    </span>
  )
}

/** Seconds since `sinceMs`, updated regularly; 0 for null. */
function useElapsed(sinceMs: number | null): number {
  const [nowMs, setNow] = useState(0)
  useEffect(() => {
    if (sinceMs === null) return undefined
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [sinceMs])
  return sinceMs === null ? 0 : Math.max(0, (nowMs - sinceMs) / 1000)
}
