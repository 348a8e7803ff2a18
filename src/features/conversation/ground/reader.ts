// Tells parts of a conversation who reads it, because a reader who is not the lead's broker sees other texts and
// buttons.
import { createContext, type ReactNode } from 'react'
import { ASSISTANT } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { YOU } from './texts.ts'

export type Reader = {
  /** Label of outgoing messages, except those of an assistant. */
  author: string
  /** Label of an assistant's messages; undefined: 'Assistente'. */
  assistant?: string
  /** Shown above the composer, or in place of it if `mayWrite` is false. */
  note?: ReactNode
  mayWrite: boolean
  /** Placeholder of the empty message box; undefined for the usual one. */
  invites?: string | undefined
  /** Renders content below a message. */
  under?: Under
}

type Under = (message: Message) => ReactNode

export const Author = createContext(YOU)
export const Assistant = createContext(ASSISTANT)
/** The lead's number, with which a missed call can be returned; null if it cannot. */
export const Phone = createContext<string | null>(null)
export const UnderLine = createContext<Under | undefined>(undefined)
