// How a voice message is made: held or tapped, let go, pulled away or up, listened to. Pure: what happens, and what is to be done.

/** Pulled so far to the left it is thrown away, so far up it goes on without the pointer; in px. */
export const CANCEL_PULL = 96
export const LOCK_PULL = 72
/** A press shorter than this is a tap: the recording goes on by itself. */
const TAP_MS = 300
/** Less than this was no message. */
const LEAST_MS = 700
export const MAX_MS = 5 * 60_000

export type Pull = { dx: number; dy: number }

export type Voice =
  | { step: 'idle' }
  /** The microphone is asked for, maybe the person too. */
  | { step: 'asking'; pressedAtMs: number; isHeld: boolean }
  | { step: 'recording'; pressedAtMs: number; startedAtMs: number; isHeld: boolean; pull: Pull }
  /** Recorded, to be listened to. */
  | { step: 'review' }

export type VoiceEvent =
  | { kind: 'press'; atMs: number }
  | { kind: 'granted'; atMs: number }
  | { kind: 'failed' }
  | { kind: 'pull'; pull: Pull }
  | { kind: 'release'; atMs: number }
  /** The system took the pointer away: a question of its own, a call. */
  | { kind: 'lost' }
  | { kind: 'stop' }
  | { kind: 'send' }
  | { kind: 'discard' }

/** What is to be done with the microphone and what it took. */
export type Deed = 'open' | 'stop' | 'send' | 'discard' | 'tooShort' | null

export const IDLE: Voice = { step: 'idle' }
const STILL: Pull = { dx: 0, dy: 0 }

/** The further of the two directions counts: a slanting pointer never does both. */
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
      // Whoever had to answer a question of the system first could not go on holding.
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
      return event.atMs - voice.startedAtMs < LEAST_MS ? [IDLE, 'tooShort'] : [IDLE, 'send']
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
