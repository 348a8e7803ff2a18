// A sending round: which entries it takes, and which delayed entries may be sent early.
import type { Entry } from './command.ts'
import { type Entries, findHeads, MAX_WAIT_AHEAD_MS } from './queue.ts'

/** A text that waited longer is sent only after its author has confirmed it. */
const STALE_MS = 6 * 3_600_000
/** An applied entry is removed after this time, even if no read has shown its change. */
const FORGOTTEN_MS = 24 * 3_600_000

/**
 * Returns the list at the start of a sending round. The first entries of up to `limit` lanes are marked as tried,
 * before they are sent. Texts that waited too long become stale, so that their author decides.
 */
export function claimDue(
  entries: Entries,
  { userId, nowMs, limit }: { userId: string; nowMs: number; limit: number },
) {
  const asked = entries
    .filter((entry) => entry.appliedAtMs === null || nowMs - entry.appliedAtMs < FORGOTTEN_MS)
    .map((entry) => (isStale(entry, nowMs) ? { ...entry, state: 'stale' as const } : entry))
  const due = new Set(
    findHeads(asked, userId)
      .filter(({ nextAtMs }) => nextAtMs <= nowMs || nextAtMs > nowMs + MAX_WAIT_AHEAD_MS)
      .slice(0, limit),
  )
  return asked.map((entry) => (due.has(entry) ? { ...entry, attempts: entry.attempts + 1 } : entry))
}

function isStale({ command, state, createdAtMs }: Entry, nowMs: number): boolean {
  const goesNow =
    command.kind.endsWith('.send') || (command.kind === 'message.schedule' && command.given.dueAt === null)
  return goesNow && state === 'queued' && nowMs - createdAtMs > STALE_MS
}

/** Makes entries due that the network delayed; with `all`, also those that the server delayed. */
export function hurryEntries(
  entries: Entries,
  { userId, nowMs, all }: { userId: string; nowMs: number; all: boolean },
) {
  return entries.map((entry) =>
    entry.userId === userId && entry.nextAtMs > nowMs && (all || entry.failure === 'network')
      ? { ...entry, nextAtMs: nowMs }
      : entry,
  )
}
