// The portal's time on a device whose clock is wrong: how far that runs ahead, by the date of each answer.

/** Whole seconds and a slow answer make no clock wrong. */
const TOLERATED_MS = 60_000

type Listener = (aheadMs: number) => void

/** null: nothing has been heard yet. */
let aheadMs: number | null = null
let listener: Listener | null = null

/** Milliseconds since the epoch, as the portal counts them. */
export const serverNow = () => Date.now() - (aheadMs ?? 0)

/** Calls back with the first answer and each change: by so much the device's clock is ahead; 0 where it is right. */
export function watchClock(next: Listener) {
  listener = next
  if (aheadMs !== null) next(aheadMs)
}

/** An answer that says no date, or a senseless one, changes nothing. */
export function noteServerTime({ ok, headers }: Response) {
  const saidMs = Date.parse(headers.get('Date') ?? '')
  if (!ok || Number.isNaN(saidMs)) return
  const foundMs = Date.now() - saidMs
  const nextMs = Math.abs(foundMs) > TOLERATED_MS ? foundMs : 0
  // A minute more or less would draw every clock anew.
  if (nextMs === aheadMs || (aheadMs !== null && nextMs !== 0 && Math.abs(nextMs - aheadMs) <= TOLERATED_MS))
    return
  aheadMs = nextMs
  listener?.(aheadMs)
}
