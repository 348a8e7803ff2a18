// What is different where whoever reads a conversation is not the broker whose lead it is.
import { createContext, type ReactNode } from 'react'
import { YOU } from './texts.ts'

export type Reader = {
  /** Whose the words are that went out. */
  author: string
  /** Stands over the composer, or in its place. */
  note?: ReactNode
  mayWrite: boolean
}

export const Author = createContext(YOU)
