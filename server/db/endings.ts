// Refuses an account whose statements block the embedded engine too long, because everybody waits for its one
// connection.
import { hasPassed, type Clock } from '#server/clock.ts'
import { SqlError } from './database.ts'
import type { Shares } from './shares.ts'

/** An account's slow statements may block the engine for this time in total within this period. */
const MAX_HELD_MS = 45_000
const WITHIN_MS = 10 * 60_000
/** Shorter statements do not count. A function of ours counts only if it ended the engine. */
const SLOW_MS = 2_000
/**
 * A statement that ended the engine counts at least this, because the engine is reopened. No statement counts more than
 * the longest limit.
 */
const ENDING_MS = 15_000
const MAX_TURN_MS = 30_000
/** The code of a server whose process ended. The statement may not be the cause, so it is tried again. */
export const ENDED = '57P02'

type Held = { atMs: number; heldMs: number }
type Asker = NonNullable<Parameters<Shares['run']>[0]>
type Turn = { key: string; isOpen: boolean; sinceMs: number }

/**
 * Wraps `shares` so that they also count how long each account's slow statements blocked the engine, even if they
 * failed. An account over its limit gets PT429. Its own queries and its calls of our functions have separate limits, so
 * that its board still works.
 */
export function countEndings(shares: Shares, clock: Clock): Shares {
  const heldOf = new Map<string, readonly Held[]>()

  function lately(key: string): readonly Held[] {
    const held = (heldOf.get(key) ?? []).filter(({ atMs }) => !hasPassed(clock, atMs, WITHIN_MS))
    if (held.length > 0) heldOf.set(key, held)
    else heldOf.delete(key)
    return held
  }

  function note({ key, isOpen, sinceMs }: Turn, error?: unknown) {
    const isEnding = error instanceof SqlError && error.code === ENDED
    const tookMs = Math.min(MAX_TURN_MS, clock.now() - sinceMs)
    if (!isEnding && (!isOpen || tookMs < SLOW_MS)) return
    const heldMs = isEnding ? Math.max(ENDING_MS, tookMs) : tookMs
    heldOf.set(key, [...lately(key), { atMs: clock.now(), heldMs }])
  }

  async function counted<T>({ account, isOpen }: Asker, task: () => Promise<T>): Promise<T> {
    const key = `${isOpen ? 'open' : 'own'} ${account}`
    const waitMs = waitOf(lately(key), clock.now())
    if (waitMs > 0) throw heldBack(waitMs)
    const turn = { key, isOpen, sinceMs: clock.now() }
    try {
      const answer = await task()
      note(turn)
      return answer
    } catch (error) {
      note(turn, error)
      throw error
    }
  }

  return {
    ...shares,
    // The time counts from a statement's turn on. If the engine ends, the statements that waited behind count, too.
    run: (asker, task) => shares.run(asker, asker ? () => counted(asker, task) : task),
  }
}

/**
 * Milliseconds until the account is below its limit again, because older times no longer count; 0 if it is below now.
 */
function waitOf(held: readonly Held[], nowMs: number): number {
  let leftMs = held.reduce((sum, { heldMs }) => sum + heldMs, 0)
  let waitMs = 0
  for (const { atMs, heldMs } of held) {
    if (leftMs < MAX_HELD_MS) break
    leftMs -= heldMs
    waitMs = atMs + WITHIN_MS - nowMs
  }
  return waitMs
}

function heldBack(waitMs: number): SqlError {
  const minutes = Math.max(1, Math.ceil(waitMs / 60_000))
  return new SqlError({
    code: 'PT429',
    message: `Suas consultas ocuparam o banco de dados por tempo demais. Espere ${minutes} min e peça menos de cada vez.`,
    detail: `${Math.max(1, Math.ceil(waitMs / 1_000))}`,
    hint: 'database.held-back',
  })
}
