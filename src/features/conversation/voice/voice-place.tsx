// Keeps a conversation's voice messages playing, whichever of its messages are rendered.
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Message } from '#domain/message/message.ts'
import { Voices } from './voices.ts'

const Place = createContext<Voices | null>(null)

type VoicePlaceProps = {
  /** The messages in the order of the conversation. */
  messages: readonly Message[]
  children: ReactNode
}

export function VoicePlace({ messages, children }: VoicePlaceProps) {
  const client = useQueryClient()
  const [voices] = useState(() => new Voices(client))
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => voices.follow(messages), [voices, messages])
  useEffect(() => voices.holdIn(place.current), [voices])
  return (
    <Place value={voices}>
      {children}
      <div ref={place} hidden />
    </Place>
  )
}

export function useVoice(messageId: number) {
  const voices = use(Place)
  if (!voices) throw new Error('a voice message outside of a conversation')
  const read = () => voices.of(messageId)
  const heard = useSyncExternalStore(voices.subscribe, read, read)
  return {
    ...heard,
    toggle: () => voices.toggle(messageId),
    seek: (toSeconds: number) => voices.seek(messageId, toSeconds),
  }
}
