// Stores the state of the push offer on this device: what triggered it, each 'Agora não', and whether it is shown.
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'

const KEY = 'push-offer'

const Offer = v.object({ hasOpened: v.boolean(), declines: v.number(), declinedAtMs: v.number() })
type Offer = v.InferOutput<typeof Offer>

const NOTHING: Offer = { hasOpened: false, declines: 0, declinedAtMs: 0 }

export function pushOffer(): Offer {
  const stored = v.safeParse(v.pipe(v.string(), v.parseJson(), Offer), localStorage.getItem(KEY))
  return stored.success ? stored.output : NOTHING
}

export function notePushOffer(change: (offer: Offer) => Partial<Offer>) {
  const offer = pushOffer()
  localStorage.setItem(KEY, JSON.stringify({ ...offer, ...change(offer) }))
}

let isShown = false
const listeners = new Set<() => void>()

export function showPushOffer(isWanted: boolean) {
  isShown = isWanted
  for (const listener of listeners) listener()
}

export function usePushOffer(): boolean {
  return useSyncExternalStore(subscribe, () => isShown)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
