// Asks the user a question, from any code. Holds the current question.
import { useSyncExternalStore } from 'react'

export type Question = {
  question: string
  consequence: string
  /** The button's label is a verb. `tone` is danger if something would be lost. */
  action: { label: string; run: () => void; tone?: 'danger' | 'primary' }
  /** The label instead of 'Cancelar', where another one is clearer. */
  cancelLabel?: string
}

let current: Question | null = null
const listeners = new Set<() => void>()

function show(question: Question | null) {
  current = question
  for (const listener of listeners) listener()
}

/** Shows a question over everything else, in place of an older one. */
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
