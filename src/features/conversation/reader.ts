// What is different where whoever reads a conversation is not the broker whose lead it is.
import { createContext, type ReactNode } from 'react'
import { ASSISTANT } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { YOU } from './texts.ts'

export type Reader = {
  /** Whose the words are that went out, an assistant's apart. */
  author: string
  /** What an assistant is called. */
  assistant?: string
  /** Stands over the composer, or in its place. */
  note?: ReactNode
  mayWrite: boolean
  /** Stands in the empty box, instead of what it is. */
  invites?: string | undefined
  /** What stands under a line. */
  under?: Under
}

type Under = (message: Message) => ReactNode

export const Author = createContext(YOU)
export const Assistant = createContext(ASSISTANT)
/** The lead's, where a call that was missed can be answered. */
export const Phone = createContext<string | null>(null)
export const UnderLine = createContext<Under | undefined>(undefined)
