// Shares a database fairly: how many statements run at once, in total and for one account, and whose turn is next.
import { systemClock, type Clock } from '#server/clock.ts'
import { SqlError, type Asker, type DatabaseLoad } from './database.ts'

export type ShareSizes = {
  total: number
  /** For requests of people; the rest is reserved for the portal's own work: webhooks, sending, signing in. */
  ofPeople: number
  /** For open queries, whose cost is unknown; the rest is reserved for functions, and so for board and moves. */
  open: number
  ofOne: number
  openOfOne: number
}

/** The shares of an engine with `total` connections. */
export const sharesOf = (total: number): ShareSizes => {
  const part = (share: number) => Math.max(1, Math.round(total * share))
  return { total, ofPeople: part(0.8), open: part(0.5), ofOne: part(0.3), openOfOne: part(0.2) }
}

/** At most this many statements of one account wait, each at most this long. */
const MAX_WAITING = 100
const WAIT_MS = 10_000

type Waiting = { asker: Asker | undefined; start: () => void }
type Options = {
  sizes: ShareSizes
  /** How long the portal's own statements wait; without a limit if undefined. */
  ownWaitMs?: number
  clock?: Clock
}

export type Shares = {
  /** Runs `task` in its turn. Rejects with 53300 if too many of its account wait, or if it waited too long. */
  run<T>(asker: Asker | undefined, task: () => Promise<T>): Promise<T>
  load(): DatabaseLoad
}

/**
 * Statements wait in one queue for each account, and in one for the portal itself:
 *
 *   account A  [s s s s] --+
 *   account B  [s] --------+-- one account after the other, --+
 *   account C  [s s] ------+   within its share               +-- in turn --> running, at most `total`
 *   portal     [s s s] ---------------------------------------+
 */
export function createShares({ sizes, ownWaitMs, clock = systemClock }: Options): Shares {
  const own: Waiting[] = []
  /** Queues in the order of their turns. */
  const queues = new Map<string, Waiting[]>()
  const busy: (Asker | undefined)[] = []
  let isOwnNext = true

  /** Takes from the next account and puts that account behind all others. */
  function takeOfPeople(): Waiting | undefined {
    for (const [account, queue] of queues) {
      const at = queue.findIndex(({ asker }) => asker && mayStart(asker, busy, sizes))
      if (at < 0) continue
      const [next] = queue.splice(at, 1)
      queues.delete(account)
      if (queue.length > 0) queues.set(account, queue)
      return next
    }
    return undefined
  }

  function startNext() {
    while (busy.length < sizes.total) {
      const next = isOwnNext ? (own.shift() ?? takeOfPeople()) : (takeOfPeople() ?? own.shift())
      if (!next) return
      isOwnNext = next.asker !== undefined
      busy.push(next.asker)
      next.start()
    }
  }

  function leave(one: Waiting) {
    const queue = one.asker ? (queues.get(one.asker.account) ?? []) : own
    const at = queue.indexOf(one)
    if (at >= 0) queue.splice(at, 1)
    if (one.asker && queue.length === 0) queues.delete(one.asker.account)
  }

  function turnOf(asker: Asker | undefined): Promise<void> {
    const queue = asker ? (queues.get(asker.account) ?? []) : own
    if (asker && queue.length >= MAX_WAITING) return Promise.reject(tooBusy())
    return new Promise((resolve, reject) => {
      let isStarted = false
      // Most statements start at once, and need no controller that could end their wait.
      let waiting: AbortController | undefined
      const one: Waiting = {
        asker,
        start: () => {
          isStarted = true
          waiting?.abort(null)
          resolve()
        },
      }
      queue.push(one)
      if (asker) queues.set(asker.account, queue)
      startNext()
      if (isStarted) return
      const { signal } = (waiting = new AbortController())
      const giveUp = (refusal: () => SqlError) => {
        if (signal.aborted) return
        waiting?.abort(null)
        leave(one)
        reject(refusal())
      }
      asker?.signal?.addEventListener('abort', () => giveUp(askerLeft), { signal })
      const waitMs = asker ? WAIT_MS : ownWaitMs
      if (waitMs !== undefined) void clock.sleep(waitMs, signal).then(() => giveUp(tooBusy))
    })
  }

  return {
    run: async (asker, task) => {
      if (asker?.signal?.aborted) throw askerLeft()
      await turnOf(asker)
      try {
        return await task()
      } finally {
        busy.splice(busy.indexOf(asker), 1)
        startNext()
      }
    },
    load: () => ({
      busy: busy.length,
      idle: sizes.total - busy.length,
      waiting: own.length + [...queues.values()].reduce((sum, queue) => sum + queue.length, 0),
    }),
  }
}

function mayStart(
  { account, isOpen }: Asker,
  busy: readonly (Asker | undefined)[],
  sizes: ShareSizes,
): boolean {
  const ofPeople = busy.filter((asker) => asker !== undefined)
  const ofOne = ofPeople.filter((asker) => asker.account === account)
  const openOf = (askers: readonly Asker[]) => askers.filter((asker) => asker.isOpen).length
  if (ofPeople.length >= sizes.ofPeople || ofOne.length >= sizes.ofOne) return false
  return !isOpen || (openOf(ofPeople) < sizes.open && openOf(ofOne) < sizes.openOfOne)
}

const tooBusy = () =>
  new SqlError({ code: '53300', message: 'too many statements wait; ask again in a moment' })

/** The code of a cancelled statement. Nobody reads this message. */
export const askerLeft = () =>
  new SqlError({ code: '57014', message: 'canceling statement: nobody waits for its answer' })
