// Whoever made the embedded engine be ended again and again is held back: each ending is felt by everybody.
import { hasPassed, type Clock } from '#server/clock.ts'
import { SqlError } from './database.ts'
import type { Shares } from './shares.ts'

/** So many endings of one account within so long, and no more. */
const MAX_ENDINGS = 3
const WITHIN_MS = 10 * 60_000
/** As of a server whose process went down: what was asked is not to blame by itself, and is asked again. */
export const ENDED = '57P02'

/**
 * The same shares, but what made the engine end is counted by its account: who did that too often is refused with PT429. What an
 * account makes up is held back apart from functions of ours: its board goes on.
 */
export function countEndings(shares: Shares, clock: Clock): Shares {
  const endedAtMs = new Map<string, readonly number[]>()

  function lately(key: string): readonly number[] {
    const times = (endedAtMs.get(key) ?? []).filter((atMs) => !hasPassed(clock, atMs, WITHIN_MS))
    if (times.length > 0) endedAtMs.set(key, times)
    else endedAtMs.delete(key)
    return times
  }

  async function counted<T>(key: string, task: () => Promise<T>): Promise<T> {
    const times = lately(key)
    if (times.length >= MAX_ENDINGS) throw heldBack((times.at(-MAX_ENDINGS) ?? 0) + WITHIN_MS - clock.now())
    try {
      return await task()
    } catch (error) {
      if (error instanceof SqlError && error.code === ENDED)
        endedAtMs.set(key, [...lately(key), clock.now()].slice(-MAX_ENDINGS))
      throw error
    }
  }

  return {
    ...shares,
    // In its turn: those that waited behind the one that ended it are counted, too.
    run: (asker, task) =>
      shares.run(
        asker,
        asker ? () => counted(`${asker.isOpen ? 'open' : 'own'} ${asker.account}`, task) : task,
      ),
  }
}

function heldBack(waitMs: number): SqlError {
  const minutes = Math.max(1, Math.ceil(waitMs / 60_000))
  return new SqlError({
    code: 'PT429',
    message: `Suas consultas pararam o banco de dados ${MAX_ENDINGS} vezes. Espere ${minutes} min e peça menos de cada vez.`,
    detail: `${Math.max(1, Math.ceil(waitMs / 1_000))}`,
    hint: 'database.held-back',
  })
}
