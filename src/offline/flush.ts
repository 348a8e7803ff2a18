// Sends the outbox. One tab or the service worker sends, a few lanes at once, and marks each entry as tried before
// sending it.
import { deliver } from '#api/deliver.ts'
import { log } from '#api/log.ts'
import { storedClaims } from '#api/stored-session.ts'
import type { Entry } from '#domain/outbox/command.ts'
import { type Entries, findHeads } from '#domain/outbox/queue.ts'
import { claimDue, hurryEntries } from '#domain/outbox/round.ts'
import { applyVerdict } from '#domain/outbox/settle.ts'
import { verdictOf } from '#domain/outbox/verdict.ts'
import { changeOutbox, listOutbox } from './outbox.ts'
import { toAnswer, toDelivery } from './requests.ts'
import { holdLease, queueSendRun } from './send-lock.ts'

/** Why a run begins. A user's request skips all delays; a change of network skips those of the network. */
export type DrainReason = 'start' | 'online' | 'visible' | 'added' | 'timer' | 'sync' | 'request'

/** A weak signal carries a few small requests as fast as one. */
const LANES_AT_ONCE = 4

/** The reasons that came since the last run began; the next run handles all of them. */
const asked = new Set<DrainReason>()

/**
 * Sends due entries. Resolves with how many of the signed-in user's entries are left. If another tab is sending, it
 * waits for the lock. Never throws.
 */
export function drain(reason: DrainReason): Promise<{ left: number }> {
  asked.add(reason)
  return queueSendRun(async (runner) => {
    const reasons = new Set(asked)
    asked.clear()
    const userId = (await storedClaims())?.sub
    if (userId === undefined) return { left: 0 }
    await hurry(reasons, userId)
    // Offline nothing is sent, so that all entries can still be changed and undone. A sync event proves that there is a
    // network, even if navigator.onLine is false.
    const mayTry = () => navigator.onLine || reasons.has('sync')
    while (mayTry() && (await holdLease(runner)) && (await sendSome(userId))) continue
    return { left: findHeads(await listOutbox(), userId).length }
  })
}

async function hurry(reasons: ReadonlySet<DrainReason>, userId: string) {
  if (![...reasons].some((reason) => reason !== 'timer' && reason !== 'added')) return
  const all = reasons.has('request')
  await changeOutbox((entries) => {
    const next = hurryEntries(entries, { userId, nowMs: Date.now(), all })
    return isSame(entries, next) ? entries : next
  })
}

/** Sends one round. Resolves with false if nothing was due or the network failed. */
async function sendSome(userId: string): Promise<boolean> {
  const going = await take(userId)
  const verdicts = await Promise.all(
    going.map(async (entry) => {
      const answer = toAnswer(entry, await deliver(entry.userId, toDelivery(entry)), Date.now())
      return { seq: entry.seq, verdict: verdictOf(answer) }
    }),
  )
  if (verdicts.length === 0) return false
  const now = { nowMs: Date.now(), chance: Math.random() }
  await changeOutbox((entries) => verdicts.reduce((rest, one) => applyVerdict(rest, one, now), entries))
  for (const { verdict } of verdicts) if (verdict.kind !== 'applied') log.info(`outbox.${verdict.kind}`)
  return verdicts.every(({ verdict }) => verdict.kind !== 'network' && verdict.kind !== 'session')
}

async function take(userId: string): Promise<Entry[]> {
  const nowMs = Date.now()
  const { before, after } = await changeOutbox((entries) => {
    const next = claimDue(entries, { userId, nowMs, limit: LANES_AT_ONCE })
    return isSame(entries, next) ? entries : next
  })
  const attempts = new Map(before.map((entry) => [entry.seq, entry.attempts]))
  return after.filter((entry) => entry.attempts > (attempts.get(entry.seq) ?? 0))
}

function isSame(a: Entries, b: Entries): boolean {
  return a.length === b.length && a.every((entry, index) => entry === b[index])
}
