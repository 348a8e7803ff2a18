// Plays a voice message: fetched at the first press, with a waveform, 1x to 2x, and the next one plays automatically.
import { formatNumber } from '#domain/count.ts'
import { formatDuration } from '#domain/format.ts'
import { CircleAlert, Pause, Play } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import type { Media } from '#domain/message/message.ts'
import { wavePeaks } from '#domain/message/waveform.ts'
import { Spinner } from '#ui/feedback/spinner.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { RETRY } from '#ui/texts.ts'
import { PAUSE, PLAY, VOICE_MESSAGE } from '../ground/texts.ts'
import { nextRate, useRate } from './rate.ts'
import { useVoice } from './voice-place.tsx'

/** For example '0:23' before playing, '0:09 de 0:23' during it. */
const heardOf = (atSeconds: number, length: number) =>
  atSeconds > 0 ? `${formatDuration(atSeconds)} de ${formatDuration(length)}` : formatDuration(length)

type VoiceMessageProps = { messageId: number; media: Media; stamp: ReactNode }

export function VoiceMessage({ messageId, media, stamp }: VoiceMessageProps) {
  const { toggle, seek, isPlaying, atSeconds, fault, isFetching, ...heard } = useVoice(messageId)
  const length = heard.length ?? media.seconds ?? 0
  const [rate, setRate] = useRate()
  return (
    <div className="flex w-64 max-w-full items-start gap-2">
      <button
        type="button"
        aria-label={`${isPlaying ? PAUSE : PLAY}: ${VOICE_MESSAGE}`}
        aria-busy={isFetching}
        onClick={toggle}
        className="inline-flex size-11 shrink-0 items-center justify-center rounded-full bg-primary-soft text-on-primary-soft"
      >
        {isFetching ? <Spinner /> : <Icon of={fault ? CircleAlert : isPlaying ? Pause : Play} />}
      </button>
      <div className="min-w-0 grow">
        <div className="flex min-h-11 items-center gap-1.5">
          <Wave
            peaks={wavePeaks(media.waveform, BARS)}
            onSeek={(wanted) => seek(Math.min(length, Math.max(0, wanted)))}
            {...{ atSeconds, length }}
          />
          <button
            type="button"
            aria-label={`Velocidade: ${formatNumber(rate)}x. Mudar`}
            onClick={() => setRate(nextRate(rate))}
            className="-my-1 inline-flex min-h-11 shrink-0 items-center"
          >
            <span className="rounded-full bg-surface-2 px-2 py-1 text-13 font-semibold text-text-2">
              {formatNumber(rate)}x
            </span>
          </button>
        </div>
        <p className="flex items-center justify-between gap-2 text-12 text-text-2 tabular-nums">
          {fault ? `${fault} ${RETRY}` : heardOf(atSeconds, length)}
          {stamp}
        </p>
      </div>
    </div>
  )
}

/** An arrow key moves the position by this many seconds. */
const STEP = 5
const BARS = 36
const GAP = 4
const HEIGHT = 28

type WaveProps = {
  peaks: readonly number[]
  atSeconds: number
  length: number
  onSeek: (seconds: number) => void
}

function Wave({ peaks, atSeconds, length, onSeek }: WaveProps) {
  const ratio = length > 0 ? Math.min(1, atSeconds / length) : 0
  const byKey = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -STEP, ArrowDown: -STEP, ArrowRight: STEP, ArrowUp: STEP }[event.key]
    if (step === undefined) return
    event.preventDefault()
    onSeek(atSeconds + step)
  }
  const path = peaks
    .map((peak, at) => {
      const half = (peak * (HEIGHT - 4)) / 2
      return `M${at * GAP + 2} ${HEIGHT / 2 - half}v${half * 2}`
    })
    .join('')
  const bars = (
    <svg className="wave" viewBox={`0 0 ${BARS * GAP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
      <path d={path} vectorEffect="non-scaling-stroke" />
    </svg>
  )
  return (
    <span className="relative block min-w-0 grow rounded-sm text-border-strong focus-within:shadow-input-focus">
      {bars}
      <span className="wave-heard" style={{ clipPath: `inset(0 ${100 - ratio * 100}% 0 0)` }}>
        {bars}
      </span>
      <input
        type="range"
        aria-label={VOICE_MESSAGE}
        aria-valuetext={heardOf(atSeconds, length)}
        min={0}
        max={length}
        step="any"
        value={Math.min(atSeconds, length)}
        onKeyDown={byKey}
        onChange={({ target }) => onSeek(target.valueAsNumber)}
        className="absolute inset-x-0 -top-2 h-11 w-full cursor-pointer opacity-0"
      />
    </span>
  )
}
