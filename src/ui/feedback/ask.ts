// A question put to the person from anywhere in the code: what it asks, and the one that stands now.
import { useSyncExternalStore } from 'react'

export type Question = {
  question: string
  consequence: string
  /** Named by its verb; `tone` is danger where something is lost. */
  action: { label: string; run: () => void; tone?: 'danger' | 'primary' }
  /** Where another word than 'Cancelar' says better what stays. */
  cancelLabel?: string
}

let current: Question | null = null
const listeners = new Set<() => void>()

function show(question: Question | null) {
  current = question
  for (const listener of listeners) listener()
}

/** Shows it over everything; a newer question takes the place of the one before. */
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
