// Limits how much memory the deliveries that are being read hold together. Further deliveries wait unread, so that the
// sockets of their senders fill up and stop.
import type { Clock } from '#server/clock.ts'

export type Budget = {
  bytes: number
  requests: number
  /** How many requests may wait; the portal refuses further ones. */
  waiting: number
  waitMs: number
}

type Waiting = { bytes: number; begin: () => void }

/**
 * Grants memory in the order of asking. `enter` resolves to the function that gives it back, or to null after too
 * long a wait.
 */
export function createByteBudget(budget: Budget, clock: Pick<Clock, 'sleep'>) {
  let requests = 0
  let bytes = 0
  const waiting: Waiting[] = []

  /** The first request always fits, even a larger one than the budget, so that it can be answered. */
  const fits = (more: number) =>
    requests === 0 || (requests < budget.requests && bytes + more <= budget.bytes)

  function begin(more: number): () => void {
    requests += 1
    bytes += more
    return () => {
      requests -= 1
      bytes -= more
      while (waiting[0] && fits(waiting[0].bytes)) waiting.shift()?.begin()
    }
  }

  return {
    enter: async (more: number): Promise<(() => void) | null> => {
      if (waiting.length === 0 && fits(more)) return begin(more)
      if (waiting.length >= budget.waiting) return null
      const end = new AbortController()
      let mine: Waiting | undefined
      const turn = new Promise<() => void>((resolve) => {
        mine = { bytes: more, begin: () => resolve(begin(more)) }
        waiting.push(mine)
      })
      const tooLong = clock.sleep(budget.waitMs, end.signal).then(() => {
        const at = waiting.findIndex((one) => one === mine)
        if (at >= 0) waiting.splice(at, 1)
        return null
      })
      const leave = await Promise.race([turn, tooLong])
      end.abort()
      return leave
    },
  }
}
