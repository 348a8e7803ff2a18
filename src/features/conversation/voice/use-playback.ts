// Playing a voice message that came: fetched at the first press, one at a time, the next one after it by itself.
import { useQuery } from '@tanstack/react-query'
import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { mediaQuery } from '#data/messages/messages.ts'
import { mediaFault } from '../message/media-fault.ts'
import { MEDIA_UNAVAILABLE } from '../texts.ts'
import { useRate } from './rate.ts'

type Sounding = SyntheticEvent<HTMLAudioElement>

/** `seconds`: as the message says; the file knows better once it is here. */
export function usePlayback(messageId: number, seconds: number) {
  const { data: file, error, isFetching, refetch } = useQuery(mediaQuery(messageId))
  const audio = useRef<HTMLAudioElement>(null)
  const [isWanted, setWanted] = useState(false)
  /** One more address may help when the first is too old; a second failure is the file's own. */
  const [brokenUrls, setBrokenUrls] = useState(0)
  const [isPlaying, setPlaying] = useState(false)
  const [atSeconds, setAt] = useState(0)
  const [length, setLength] = useState(seconds)
  const [rate] = useRate()
  const play = () => void audio.current?.play().catch(() => setPlaying(false))
  useEffect(() => {
    if (audio.current) audio.current.playbackRate = rate
  }, [rate])
  useEffect(() => {
    if (file && isWanted) void audio.current?.play().catch(() => setPlaying(false))
  }, [file, isWanted])

  const toggle = () => {
    if (isPlaying) return audio.current?.pause()
    setWanted(true)
    if (file && brokenUrls < 2) return play()
    setBrokenUrls(0)
    return void refetch()
  }
  const seek = (wanted: number) => {
    const to = Math.min(length, Math.max(0, wanted))
    setAt(to)
    if (audio.current) audio.current.currentTime = to
  }
  const learn = ({ currentTarget: element }: Sounding) => {
    element.playbackRate = rate
    if (Number.isFinite(element.duration) && element.duration > 0) setLength(element.duration)
    if (atSeconds > 0) element.currentTime = atSeconds
  }
  const sound = file && {
    ref: audio,
    src: file.url,
    preload: 'metadata' as const,
    onPlay: ({ currentTarget }: Sounding) => {
      pauseOthers(currentTarget)
      setPlaying(true)
    },
    onPlaying: () => setBrokenUrls(0),
    onError: () => {
      setPlaying(false)
      setBrokenUrls(brokenUrls + 1)
      if (brokenUrls === 0) void refetch()
    },
    onPause: () => setPlaying(false),
    onLoadedMetadata: learn,
    onTimeUpdate: ({ currentTarget }: Sounding) => setAt(currentTarget.currentTime),
    onEnded: ({ currentTarget }: Sounding) => {
      setAt(0)
      playNext(currentTarget)
    },
  }
  const fault = brokenUrls > 1 ? MEDIA_UNAVAILABLE : error && mediaFault(error)
  return { toggle, seek, isPlaying, atSeconds, length, fault, isFetching, sound }
}

let playing: HTMLAudioElement | null = null

/** One voice at a time. */
function pauseOthers(audio: HTMLAudioElement) {
  if (playing !== audio) playing?.pause()
  playing = audio
}

/** The one right under it, as in one breath. */
function playNext(audio: HTMLAudioElement) {
  const row = audio.closest<HTMLElement>('[data-index]')
  row?.nextElementSibling?.querySelector<HTMLElement>('[data-voice]')?.click()
}
