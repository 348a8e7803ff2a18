// What a toast is, and the one that is shown now; what is only said to who listens. Spec 8, 9; DESIGN-SYSTEM 5, 9, 10; INTERACTIONS 8.
import { useSyncExternalStore } from 'react'

export type Toast = {
  id: number
  text: string
  tone: 'success' | 'error'
  durationMs: number
  action: ToastAction | null
} & ToastWords

export type ToastAction = { label: string; run: () => void }

export type ToastWords = {
  /** The part at its end that stands out. */
  strong?: string
  /** What a screen reader hears in its place. */
  spoken?: string
}

const DURATION_MS = { success: 3_000, error: 5_000, withAction: 6_000 }

type Said = { id: number; text: string }

let count = 0
let current: Toast | null = null
let waiting: Toast | null = null
let said: Said | null = null
const listeners = new Set<() => void>()

function tell() {
  for (const listener of listeners) listener()
}

function show(toast: Toast | null) {
  current = toast
  tell()
}

/** Spec 8: red when the text contains 'Erro'. A newer one takes the place of the one before, but an error is read first. */
export function toast(text: string, action: ToastAction | null = null, words: ToastWords = {}) {
  const tone = text.includes('Erro') ? 'error' : 'success'
  const durationMs = DURATION_MS[action ? 'withAction' : tone]
  const next: Toast = { id: ++count, text, tone, action, durationMs, ...words }
  if (current?.tone === 'error' && tone !== 'error') waiting = next
  else show(next)
}

export function dismissToast() {
  show(waiting)
  waiting = null
}

/** Says it to who listens; nothing is shown. */
export function announce(text: string) {
  said = { id: ++count, text }
  tell()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function currentToast(): Toast | null {
  return current
}

export function useToast(): Toast | null {
  return useSyncExternalStore(subscribe, currentToast)
}

export function useSaid(): Said | null {
  return useSyncExternalStore(subscribe, () => said)
}
