// The playback speed of all voice messages, stored on this device.
import { useSyncExternalStore } from 'react'

const RATES = [1, 1.5, 2] as const
export type Rate = (typeof RATES)[number]

const KEY = 'voice-rate'
const listeners = new Set<() => void>()

export function readRate(): Rate {
  const kept = Number(localStorage.getItem(KEY))
  return RATES.find((rate) => rate === kept) ?? 1
}

function write(rate: Rate) {
  localStorage.setItem(KEY, String(rate))
  for (const listener of listeners) listener()
}

export function subscribeRate(changed: () => void) {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

const USUAL = (): Rate => 1

export function useRate(): [Rate, (rate: Rate) => void] {
  return [useSyncExternalStore(subscribeRate, readRate, USUAL), write]
}

/** After the fastest speed comes the slowest again. */
export function nextRate(rate: Rate): Rate {
  return RATES[(RATES.indexOf(rate) + 1) % RATES.length] ?? 1
}
