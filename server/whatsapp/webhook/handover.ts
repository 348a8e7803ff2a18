// Hands the events of a stored delivery to the applier, so that a portal reads each delivery once.
import { hasPassed, type Clock } from '#server/clock.ts'
import type { Incoming } from '#server/delivery.ts'

/** Beyond that, the applier reads further deliveries from the inbox. */
const MAX_CHARS = 4_000_000
/** Another portal may have applied older ones. */
const KEPT_MS = 30_000

export type Handover = ReturnType<typeof createHandover>

/** By the delivery's id in the inbox. `chars`: the length of its body. */
export function createHandover(clock: Pick<Clock, 'now'>) {
  const kept = new Map<number, { events: Incoming[]; chars: number; sinceMs: number }>()
  let keptChars = 0

  function drop(id: number) {
    keptChars -= kept.get(id)?.chars ?? 0
    kept.delete(id)
  }

  return {
    put(id: number, events: Incoming[], chars: number) {
      for (const [oldest, { sinceMs }] of kept) {
        if (!hasPassed(clock, sinceMs, KEPT_MS)) break
        drop(oldest)
      }
      if (keptChars + chars > MAX_CHARS) return
      kept.set(id, { events, chars, sinceMs: clock.now() })
      keptChars += chars
    },
    find: (id: number): Incoming[] | undefined => kept.get(id)?.events,
    drop,
  }
}
