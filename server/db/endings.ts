// Whoever holds the embedded engine up again and again is held back: what ends it, or is made up and takes long, is felt by everybody.
import { hasPassed, type Clock } from '#server/clock.ts'
import { SqlError } from './database.ts'
import type { Shares } from './shares.ts'

/** So long may one account hold it within so long, all its slow statements together, and no longer. */
const MAX_HELD_MS = 45_000
const WITHIN_MS = 10 * 60_000
/** What takes less is nobody's wait. What a function of ours takes is no fault of who calls it: only what it ends is counted. */
const SLOW_MS = 2_000
/** What one that ended the engine counts for at the least: it is opened anew. One counts for no more than the longest limit. */
const ENDING_MS = 15_000
const MAX_TURN_MS = 30_000
/** As of a server whose process went down: what was asked is not to blame by itself, and is asked again. */
export const ENDED = '57P02'

type Held = { atMs: number; heldMs: number }
type Asker = NonNullable<Parameters<Shares['run']>[0]>
type Turn = { key: string; isOpen: boolean; sinceMs: number }

/**
 * The same shares, but the time that an account's slow statements held the engine is counted, whether they were answered or ended it:
 * who did that for too long is refused with PT429. What an account makes up is held back apart from functions of ours: its board goes on.
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
    // In its turn: those that waited behind the one that ended it are counted, too.
    run: (asker, task) => shares.run(asker, asker ? () => counted(asker, task) : task),
  }
}

/** Until so many of them are forgotten that the rest is below what one account may; 0 where it is. */
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
