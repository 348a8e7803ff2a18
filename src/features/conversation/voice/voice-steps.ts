// The state machine of a voice recording: hold or tap, release, pull left or up, review. Pure: events in, next state
// and action out.

/**
 * A pull of this many px to the left cancels the recording. A pull of this many px upwards locks it, so that it goes on
 * without the finger.
 */
export const CANCEL_PULL = 96
export const LOCK_PULL = 72
/** A shorter press is a tap: the recording then goes on until the next press. */
const TAP_MS = 300
/** A shorter recording is discarded with a hint. */
const MIN_MS = 700
export const MAX_MS = 5 * 60_000

export type Pull = { dx: number; dy: number }

export type Voice =
  | { step: 'idle' }
  /** The portal waits for the microphone, perhaps for the user's permission. */
  | { step: 'asking'; pressedAtMs: number; isHeld: boolean }
  | { step: 'recording'; pressedAtMs: number; startedAtMs: number; isHeld: boolean; pull: Pull }
  /** The recording has ended; the user may play, send or discard it. */
  | { step: 'review' }

export type VoiceEvent =
  | { kind: 'press'; atMs: number }
  | { kind: 'granted'; atMs: number }
  | { kind: 'failed' }
  | { kind: 'pull'; pull: Pull }
  | { kind: 'release'; atMs: number }
  /** The system took over the pointer, for a permission dialog or a call. */
  | { kind: 'lost' }
  | { kind: 'stop' }
  | { kind: 'send' }
  | { kind: 'discard' }

/** What the caller must do with the microphone and the recording; null if it must do nothing. */
export type Deed = 'open' | 'stop' | 'send' | 'discard' | 'tooShort' | null

export const IDLE: Voice = { step: 'idle' }
const STILL: Pull = { dx: 0, dy: 0 }

/** Only the larger direction counts, so a diagonal pull cannot cancel and lock. */
export function pullVerdict({ dx, dy }: Pull): 'cancel' | 'lock' | null {
  const isSideways = Math.abs(dx) > Math.abs(dy)
  if (isSideways) return dx <= -CANCEL_PULL ? 'cancel' : null
  return dy <= -LOCK_PULL ? 'lock' : null
}

type Next = [Voice, Deed]

export function nextVoice(voice: Voice, event: VoiceEvent): Next {
  switch (voice.step) {
    case 'idle':
      return event.kind === 'press'
        ? [{ step: 'asking', pressedAtMs: event.atMs, isHeld: true }, 'open']
        : [voice, null]
    case 'asking':
      return whileAsking(voice, event)
    case 'recording':
      return whileRecording(voice, event)
    case 'review':
      if (event.kind === 'send') return [IDLE, 'send']
      return event.kind === 'discard' ? [IDLE, 'discard'] : [voice, null]
  }
}

function whileAsking(voice: Extract<Voice, { step: 'asking' }>, event: VoiceEvent): Next {
  switch (event.kind) {
    case 'granted': {
      const { pressedAtMs, isHeld } = voice
      return [{ step: 'recording', pressedAtMs, startedAtMs: event.atMs, isHeld, pull: STILL }, null]
    }
    case 'release':
    case 'lost':
      // Releasing counts as a tap here, because a permission dialog makes the user let go of the button.
      return [{ ...voice, isHeld: false }, null]
    case 'failed':
    case 'discard':
      return [IDLE, 'discard']
    default:
      return [voice, null]
  }
}

function whileRecording(voice: Extract<Voice, { step: 'recording' }>, event: VoiceEvent): Next {
  switch (event.kind) {
    case 'pull': {
      if (!voice.isHeld) return [voice, null]
      const verdict = pullVerdict(event.pull)
      if (verdict === 'cancel') return [IDLE, 'discard']
      return [{ ...voice, pull: event.pull, isHeld: verdict !== 'lock' }, null]
    }
    case 'release': {
      if (!voice.isHeld) return [voice, null]
      if (event.atMs - voice.pressedAtMs < TAP_MS) return [{ ...voice, isHeld: false }, null]
      return event.atMs - voice.startedAtMs < MIN_MS ? [IDLE, 'tooShort'] : [IDLE, 'send']
    }
    case 'lost':
      return [{ ...voice, isHeld: false }, null]
    case 'stop':
      return [{ step: 'review' }, 'stop']
    case 'send':
      return [IDLE, 'send']
    case 'discard':
    case 'failed':
      return [IDLE, 'discard']
    default:
      return [voice, null]
  }
}
