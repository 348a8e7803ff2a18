// Plays a recorded voice message before it is sent.
import { Pause, Play } from 'lucide-react'
import { useRef, useState } from 'react'
import { formatDuration } from '#domain/format.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { PAUSE, PLAY } from '../ground/texts.ts'
import { soundAlone } from './one-sound.ts'

type VoicePlayerProps = {
  url: string
  /** The length as measured while recording, because browsers do not write it into the file. */
  seconds: number
}

export function VoicePlayer({ url, seconds }: VoicePlayerProps) {
  const audio = useRef<HTMLAudioElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [atSeconds, setAt] = useState(0)
  const toggle = () => {
    if (isPlaying) audio.current?.pause()
    else void audio.current?.play().catch(() => setPlaying(false))
  }
  return (
    <span className="flex min-w-0 grow items-center gap-1">
      <button
        type="button"
        aria-label={isPlaying ? PAUSE : PLAY}
        onClick={toggle}
        className="inline-flex size-11 shrink-0 items-center justify-center rounded-full text-primary"
      >
        <Icon of={isPlaying ? Pause : Play} />
      </button>
      <span aria-hidden className="h-1 min-w-8 grow overflow-hidden rounded-full bg-surface-3">
        <span
          className="block h-full bg-primary"
          style={{ width: `${Math.min(100, (atSeconds / Math.max(seconds, 0.1)) * 100)}%` }}
        />
      </span>
      <span className="w-10 shrink-0 text-right text-13 text-text-2 tabular-nums">
        {formatDuration(atSeconds > 0 ? atSeconds : seconds)}
      </span>
      {/* A new recording has no captions. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <audio
        ref={audio}
        src={url}
        onPlay={({ currentTarget }) => {
          soundAlone(currentTarget)
          setPlaying(true)
        }}
        onPause={() => setPlaying(false)}
        onEnded={() => setAt(0)}
        onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime)}
      />
    </span>
  )
}
