// A sending round: which entries it takes, and which delayed ones it hurries.
import type { Entry } from './command.ts'
import { type Entries, findHeads, MAX_WAIT_AHEAD_MS } from './queue.ts'

/** A text that waited longer must be confirmed before it is sent. */
const STALE_MS = 6 * 3_600_000
/** Applied entries are dropped after this time even if no read showed them. */
const FORGOTTEN_MS = 24 * 3_600_000

/**
 * The list at the start of a sending round: the heads of up to `limit` lanes are marked as sent in advance.
 * Texts that waited too long become stale for their author to decide.
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

/** Entries delayed by the network are due now; with `all`, those delayed by the server too. */
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
