// The microphone: opened, recorded in a format that the browser supports, and always closed.

export type Recording = { file: Blob; seconds: number }

export type Recorder = {
  /** Ends the recording and returns it. */
  finish: () => Promise<Recording>
  discard: () => void
}

export type MicrophoneFault = 'denied' | 'missing' | 'busy' | 'unsupported'

/** Prefers WhatsApp's own format; the gateway converts the others. */
const TYPES = ['audio/ogg;codecs=opus', 'audio/webm;codecs=opus', 'audio/mp4;codecs=mp4a.40.2', 'audio/mp4']
/** WhatsApp's voice messages have this bitrate. */
const BITS_PER_SECOND = 32_000

export function pickType(isSupported: (type: string) => boolean): string | null {
  return TYPES.find(isSupported) ?? null
}

/** `onEnd` is called if the microphone stops by itself. */
export async function openRecorder(
  onEnd: () => void,
): Promise<{ ok: true; recorder: Recorder } | { ok: false; fault: MicrophoneFault }> {
  // Old browsers and pages over plain http lack these interfaces.
  const hasParts = 'MediaRecorder' in window && 'mediaDevices' in navigator
  const type = hasParts ? pickType((each) => MediaRecorder.isTypeSupported(each)) : null
  if (type === null) return { ok: false, fault: 'unsupported' }
  try {
    const stream = await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true },
    })
    return { ok: true, recorder: record(stream, type, onEnd) }
  } catch (error) {
    return { ok: false, fault: faultOf(error) }
  }
}

function record(stream: MediaStream, type: string, onEnd: () => void): Recorder {
  const media = new MediaRecorder(stream, { mimeType: type, audioBitsPerSecond: BITS_PER_SECOND })
  const pieces: Blob[] = []
  const startedAtMs = performance.now()
  let lastedMs: number | null = null
  const ended = new Promise<void>((resolve) => media.addEventListener('stop', () => resolve()))
  const close = () => {
    lastedMs ??= performance.now() - startedAtMs
    if (media.state !== 'inactive') media.stop()
    for (const track of stream.getTracks()) track.stop()
  }
  media.addEventListener('dataavailable', ({ data }) => pieces.push(data))
  for (const track of stream.getTracks()) track.addEventListener('ended', onEnd)
  media.start()
  return {
    finish: async () => {
      close()
      await ended
      return { file: new Blob(pieces, { type: media.mimeType || type }), seconds: (lastedMs ?? 0) / 1000 }
    },
    discard: close,
  }
}

function faultOf(error: unknown): MicrophoneFault {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'missing'
  if (name === 'NotReadableError' || name === 'AbortError') return 'busy'
  return name === 'NotAllowedError' || name === 'SecurityError' ? 'denied' : 'unsupported'
}
