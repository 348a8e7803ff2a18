// Records a voice message: its steps, the microphone, and the result.
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { fallSilent } from './one-sound.ts'
import type { MicrophoneFault, Recorder, Recording } from './recorder.ts'
import { type Deed, IDLE, MAX_MS, nextVoice, type VoiceEvent } from './voice-steps.ts'

export type VoiceProblem = MicrophoneFault | 'tooShort'

/** The recording, ready to play. */
export type Taken = { url: string; seconds: number }

type UseVoice = {
  onSend: (recording: Recording) => void
  /** Called with the recording if the user closes the conversation before sending it. */
  onLeft: (recording: Recording) => void
}

export const thisMoment = () => Date.now()

export function useVoice({ onSend, onLeft }: UseVoice) {
  const [voice, setVoice] = useState(IDLE)
  const [problem, setProblem] = useState<VoiceProblem | null>(null)
  const [taken, setTaken] = useState<Taken | null>(null)
  /** A ref, because pointer events arrive faster than the page renders. */
  const now = useRef(IDLE)
  const recorder = useRef<Recorder>(null)
  const ending = useRef<Promise<Recording>>(null)

  const take = async () => (ending.current ??= recorder.current?.finish() ?? null)
  const close = () => {
    recorder.current?.discard()
    recorder.current = null
    ending.current = null
    if (taken) URL.revokeObjectURL(taken.url)
    setTaken(null)
  }
  const offer = async () => {
    const recording = await take()
    // The user may have sent or discarded the recording meanwhile.
    if (recording && now.current.step === 'review') {
      setTaken({ url: URL.createObjectURL(recording.file), seconds: recording.seconds })
    }
  }
  const send = async () => {
    const recording = await take()
    close()
    if (recording) onSend(recording)
  }

  const open = async () => {
    const asked = now.current
    setProblem(null)
    // The microphone would record media that plays.
    fallSilent()
    const { openRecorder } = await import('./recorder.ts')
    const opened = await openRecorder(() => dispatch({ kind: 'stop' }))
    // The user still wants to record if only the pointer was lifted while the microphone opened. Another press or
    // leaving cancels it.
    const isWanted =
      asked.step === 'asking' &&
      now.current.step === 'asking' &&
      now.current.pressedAtMs === asked.pressedAtMs
    if (!opened.ok) {
      setProblem(opened.fault)
      return dispatch({ kind: 'failed' })
    }
    if (!isWanted) return opened.recorder.discard()
    recorder.current = opened.recorder
    return dispatch({ kind: 'granted', atMs: thisMoment() })
  }

  const carryOut = (deed: Deed) => {
    if (deed === 'open') void open()
    else if (deed === 'stop') void offer()
    else if (deed === 'send') void send()
    else if (deed !== null) close()
    if (deed === 'tooShort') setProblem('tooShort')
  }
  const dispatch = (event: VoiceEvent) => {
    const [next, deed] = nextVoice(now.current, event)
    now.current = next
    setVoice(next)
    carryOut(deed)
  }

  const reachLimit = useEffectEvent(() => dispatch({ kind: 'stop' }))
  const isRecording = voice.step === 'recording'
  useEffect(() => {
    if (!isRecording) return undefined
    const timer = setTimeout(reachLimit, MAX_MS)
    return () => clearTimeout(timer)
  }, [isRecording])

  const leave = useEffectEvent(() => {
    now.current = IDLE
    if (recorder.current) void take().then((recording) => recording && onLeft(recording))
  })
  useEffect(() => leave, [])

  return { voice, problem, taken, dispatch, forgive: () => setProblem(null) }
}
