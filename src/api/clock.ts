// Tells the server's time on a device with a wrong clock, by the Date header of responses.

/** Smaller differences come from the header's whole seconds and slow responses; the clock then counts as right. */
const TOLERATED_MS = 60_000

type Listener = (aheadMs: number) => void

/** How far the device's clock is ahead; null before the first response. */
let aheadMs: number | null = null
let listener: Listener | null = null

/** Returns the server's time in epoch milliseconds. */
export const serverNow = () => Date.now() - (aheadMs ?? 0)

/**
 * Calls the listener with how far the device's clock is ahead: at the first response and at each change. 0: the clock
 * is right.
 */
export function watchClock(next: Listener) {
  listener = next
  if (aheadMs !== null) next(aheadMs)
}

/** Compares the device's clock with a response's date; ignores a response without a valid one. */
export function noteServerTime({ ok, headers }: Response) {
  const saidMs = Date.parse(headers.get('Date') ?? '')
  if (!ok || Number.isNaN(saidMs)) return
  const foundMs = Date.now() - saidMs
  const nextMs = Math.abs(foundMs) > TOLERATED_MS ? foundMs : 0
  // Ignores changes of up to a minute, because each change renders all times on the screen again.
  if (nextMs === aheadMs || (aheadMs !== null && nextMs !== 0 && Math.abs(nextMs - aheadMs) <= TOLERATED_MS))
    return
  aheadMs = nextMs
  listener?.(aheadMs)
}
