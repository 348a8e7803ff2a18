// The microphone button: held, it records until released; tapped, it records until pressed again.
import { ChevronUp, Lock, Mic, Send } from 'lucide-react'
import { type MouseEvent, type PointerEvent, useRef, useState } from 'react'
import { OneTouch } from '#ui/motion/one-touch.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { SEND } from '../ground/texts.ts'
import { thisMoment } from './use-voice.ts'
import { LOCK_PULL, type Pull, type Voice, type VoiceEvent } from './voice-steps.ts'

const SLIDE_TO_LOCK = 'Deslize para cima para gravar sem segurar'

type VoiceButtonProps = {
  voice: Voice
  dispatch: (event: VoiceEvent) => void
  /** False right after a message was sent, because a second press is then accidental. */
  canBegin: () => boolean
}

export function VoiceButton({ voice, dispatch, canBegin }: VoiceButtonProps) {
  // Accepts every direction, because the pointer that holds the button never scrolls.
  const [touch] = useState(() => new OneTouch(() => true))
  /** True if a pointer event has handled this press already, so the click that follows is ignored. */
  const isHinted = useRef(false)
  const isBusy = voice.step !== 'idle'
  const isHeld = (voice.step === 'asking' || voice.step === 'recording') && voice.isHeld
  const canSend = isBusy && !isHeld

  const begin = (event: PointerEvent<HTMLButtonElement>) => {
    isHinted.current = false
    // A second pointer and the right mouse button are ignored.
    if (isBusy || event.button !== 0 || !event.isPrimary) return
    // Keeps the on-screen keyboard open.
    if (!canBegin()) return event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    touch.press(event)
    dispatch({ kind: 'press', atMs: thisMoment() })
  }
  const pull = (event: PointerEvent) => {
    const way = touch.move(event)
    if (way) dispatch({ kind: 'pull', pull: way })
  }
  const end = (event: PointerEvent) => {
    if (!touch.holds(event)) return
    isHinted.current = touch.end(event) !== null
    dispatch(isHinted.current ? { kind: 'release', atMs: thisMoment() } : { kind: 'lost' })
  }
  // Handles clicks of keyboards and screen readers, which cannot hold a button, like a tap.
  const click = (event: MouseEvent) => {
    if (isHinted.current) {
      isHinted.current = false
      return
    }
    if (canSend) return dispatch({ kind: 'send' })
    if (isBusy || event.detail !== 0 || !canBegin()) return
    const atMs = thisMoment()
    dispatch({ kind: 'press', atMs })
    dispatch({ kind: 'release', atMs })
  }
  return (
    <span className="relative shrink-0">
      {isHeld && <LockHint pull={voice.step === 'recording' ? voice.pull : null} />}
      <button
        type="button"
        aria-label={canSend ? SEND : 'Gravar áudio'}
        onPointerDown={begin}
        onPointerMove={pull}
        onPointerUp={end}
        onPointerCancel={end}
        onClick={click}
        onContextMenu={(event) => event.preventDefault()}
        className={
          isBusy
            ? `relative inline-flex size-11 touch-none items-center justify-center rounded-full bg-primary text-on-primary transition-transform select-none ${isHeld ? 'scale-125' : ''}`
            : 'inline-flex size-11 touch-none items-center justify-center rounded-full bg-surface-2 text-text-2 transition-colors select-none hover:bg-surface-3'
        }
      >
        <Icon of={canSend ? Send : Mic} />
      </button>
    </span>
  )
}

/** A hint above the button that rises with the pointer to the point where the recording locks. */
function LockHint({ pull }: { pull: Pull | null }) {
  const risen = Math.max(-LOCK_PULL, Math.min(0, pull?.dy ?? 0))
  return (
    <span
      className="absolute bottom-full left-1/2 mb-4 flex w-11 -translate-x-1/2 flex-col items-center gap-1 rounded-full bg-surface py-2.5 text-text-2 shadow-3"
      title={SLIDE_TO_LOCK}
      style={{ transform: `translate(-50%, ${risen / 2}px)` }}
    >
      <Icon of={Lock} size={18} />
      <Icon of={ChevronUp} size={16} className="motion-safe:animate-pulse" />
      <span className="sr-only">{SLIDE_TO_LOCK}</span>
    </span>
  )
}
