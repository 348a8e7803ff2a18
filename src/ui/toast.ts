// What a toast is, and the one that is shown now. Spec 8, 9; DESIGN-SYSTEM 5, 9; INTERACTIONS 8.
import { useSyncExternalStore } from 'react'

export type Toast = {
  text: string
  tone: 'success' | 'error'
  durationMs: number
  action: ToastAction | null
}

export type ToastAction = { label: string; run: () => void }

const DURATION_MS = { success: 3_000, error: 5_000, withAction: 6_000 }

let current: Toast | null = null
let waiting: Toast | null = null
const listeners = new Set<() => void>()

function show(toast: Toast | null) {
  current = toast
  for (const listener of listeners) listener()
}

/** Spec 8: red when the text contains 'Erro'. A newer one takes the place of the one before, but an error is read first. */
export function toast(text: string, action: ToastAction | null = null) {
  const tone = text.includes('Erro') ? 'error' : 'success'
  const next: Toast = { text, tone, action, durationMs: DURATION_MS[action ? 'withAction' : tone] }
  if (current?.tone === 'error' && tone !== 'error') waiting = next
  else show(next)
}

export function dismissToast() {
  show(waiting)
  waiting = null
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
