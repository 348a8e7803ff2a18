// The server's time on a device with a wrong clock, from the Date header of each response.

/** Smaller differences come from whole seconds in the header and slow responses, not from a wrong clock. */
const TOLERATED_MS = 60_000

type Listener = (aheadMs: number) => void

/** null: no response yet. */
let aheadMs: number | null = null
let listener: Listener | null = null

/** The server's time in epoch milliseconds. */
export const serverNow = () => Date.now() - (aheadMs ?? 0)

/** Calls back at the first response and at each change with how far the device's clock is ahead; 0 if it is right. */
export function watchClock(next: Listener) {
  listener = next
  if (aheadMs !== null) next(aheadMs)
}

/** Ignores a response without a valid date. */
export function noteServerTime({ ok, headers }: Response) {
  const saidMs = Date.parse(headers.get('Date') ?? '')
  if (!ok || Number.isNaN(saidMs)) return
  const foundMs = Date.now() - saidMs
  const nextMs = Math.abs(foundMs) > TOLERATED_MS ? foundMs : 0
  // Ignores changes up to a minute, which would redraw every time on the screen.
  if (nextMs === aheadMs || (aheadMs !== null && nextMs !== 0 && Math.abs(nextMs - aheadMs) <= TOLERATED_MS))
    return
  aheadMs = nextMs
  listener?.(aheadMs)
}
