// The time within which the agency wants leads answered. It comes with each board, and is stored for offline use.
import { useSyncExternalStore } from 'react'
import { TARGET_MS } from '#domain/next-action/words.ts'

const PLACE = 'answer.target'

const listeners = new Set<() => void>()
let targetMs = readStored()

export function noteTarget(seconds: number | undefined) {
  const nextMs = seconds === undefined ? TARGET_MS : seconds * 1000
  if (nextMs === targetMs) return
  targetMs = nextMs
  try {
    localStorage.setItem(PLACE, String(targetMs))
  } catch {
    // If the device cannot store the target, the next response brings it again.
  }
  for (const listener of listeners) listener()
}

const read = () => targetMs

function readStored(): number {
  try {
    return Number(localStorage.getItem(PLACE)) || TARGET_MS
  } catch {
    return TARGET_MS
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Returns the agency's answer target in milliseconds. */
export function useAnswerTarget(): number {
  return useSyncExternalStore(subscribe, read, read)
}
