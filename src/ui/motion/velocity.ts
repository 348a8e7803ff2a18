// The speed of a pointer at its release, in px per ms.

export type Sample = { at: number; timeMs: number }

const WINDOW_MS = 80
const REST_MS = 60

/**
 * Returns the speed over the last 80 ms of movement, in px per ms. It uses the events' own times, because busy phones
 * handle events late. 0 if the pointer rested before its release.
 */
export function velocityOf(samples: readonly Sample[], liftedAtMs: number): number {
  const last = samples.at(-1)
  if (!last || liftedAtMs - last.timeMs > REST_MS) return 0
  const first = samples.find(({ timeMs }) => last.timeMs - timeMs <= WINDOW_MS)
  return first && first !== last ? (last.at - first.at) / Math.max(1, last.timeMs - first.timeMs) : 0
}
