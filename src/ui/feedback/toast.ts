// Shows toasts, and announces text to screen readers only. Holds the current toast.
import { useSyncExternalStore } from 'react'

export type Toast = {
  id: number
  text: string
  tone: Tone
  durationMs: number
} & ToastMore

/** `info` reports neither a success nor a fault, such as 'stopped' or 'forwarded'. */
type Tone = keyof typeof DURATION_MS

type ToastMore = {
  action?: { label: string; run: () => void }
  /** The end of the text that is shown in bold. */
  strong?: string
  /** What screen readers read instead of the text. */
  spoken?: string
  /** How long the toast stays; undefined for the usual time. */
  durationMs?: number
}

const DURATION_MS = { success: 3_000, info: 3_000, error: 5_000 }
const WITH_ACTION_MS = 6_000

type Said = { id: number; text: string }

let count = 0
let current: Toast | null = null
let waiting: Toast | null = null
let said: Said | null = null
const listeners = new Set<() => void>()

function notify() {
  for (const listener of listeners) listener()
}

function show(toast: Toast | null) {
  current = toast
  notify()
}

/** Shows a toast in place of the previous one. After an error, other toasts wait until its time is over. */
export function toast(text: string, tone: Tone, more: ToastMore = {}) {
  const durationMs = more.action ? WITH_ACTION_MS : DURATION_MS[tone]
  const next: Toast = { id: ++count, text, tone, durationMs, ...more }
  if (current?.tone === 'error' && tone !== 'error') waiting = next
  else show(next)
}

export function dismissToast() {
  show(waiting)
  waiting = null
}

/** Announces text to screen readers; nothing is shown. */
export function announce(text: string) {
  said = { id: ++count, text }
  notify()
}

/** Removes all toasts after a sign-out, so that the device shows nothing of the user. */
export function silence() {
  waiting = null
  said = null
  show(null)
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
