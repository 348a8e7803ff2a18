// How fast a pointer moves when it is lifted. Pixels a millisecond.

export type Sample = { at: number; timeMs: number }

const WINDOW_MS = 80
const REST_MS = 60

/**
 * px/ms over the last 80 ms of movement, by the events' own time: on a busy phone handlers run late. 0 where the pointer
 * rested before it was lifted.
 */
export function velocityOf(samples: readonly Sample[], liftedAtMs: number): number {
  const last = samples.at(-1)
  if (!last || liftedAtMs - last.timeMs > REST_MS) return 0
  const first = samples.find(({ timeMs }) => last.timeMs - timeMs <= WINDOW_MS)
  return first && first !== last ? (last.at - first.at) / Math.max(1, last.timeMs - first.timeMs) : 0
}
