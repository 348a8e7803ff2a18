// The differences for a reader who is not the lead's broker.
import { createContext, type ReactNode } from 'react'
import { ASSISTANT } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { YOU } from './texts.ts'

export type Reader = {
  /** The author of outgoing messages, except an assistant's. */
  author: string
  /** The assistant's label. */
  assistant?: string
  /** Shown above the composer, or in its place. */
  note?: ReactNode
  mayWrite: boolean
  /** Replaces the empty box's placeholder. */
  invites?: string | undefined
  /** Content below a message. */
  under?: Under
}

type Under = (message: Message) => ReactNode

export const Author = createContext(YOU)
export const Assistant = createContext(ASSISTANT)
/** The lead's number, if a missed call can be returned. */
export const Phone = createContext<string | null>(null)
export const UnderLine = createContext<Under | undefined>(undefined)
