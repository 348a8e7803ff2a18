// Asks the user a question from anywhere in the code; stores the current one.
import { useSyncExternalStore } from 'react'

export type Question = {
  question: string
  consequence: string
  /** The label is a verb; `tone` is danger if something is lost. */
  action: { label: string; run: () => void; tone?: 'danger' | 'primary' }
  /** Replaces 'Cancelar' where another word is clearer. */
  cancelLabel?: string
}

let current: Question | null = null
const listeners = new Set<() => void>()

function show(question: Question | null) {
  current = question
  for (const listener of listeners) listener()
}

/** Shows it over everything; a newer question replaces the previous one. */
export function ask(question: Question) {
  show(question)
}

export function dismissQuestion() {
  show(null)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useQuestion(): Question | null {
  return useSyncExternalStore(subscribe, () => current)
}
