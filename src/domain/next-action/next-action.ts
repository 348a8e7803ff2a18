// Next actions of a broker for a lead, and the effect of setting, postponing or finishing one.
export type ActionKind = 'call' | 'message' | 'visit' | 'task'

export type NextAction = {
  /** Null until the server has the action. */
  id: number | null
  /**
   * The operation that set the action. Complete while this device remembers it; otherwise only its first characters are
   * known. Null if no device set it.
   */
  operationId: string | null
  kind: ActionKind
  dueAtMs: number
  note: string
}

/** Identifies an action by the server's id, or by its operation. */
export type ActionRef = { actionId: number | null; actionOperation: string | null }

/** `seenAt`: the time up to which the device had seen the lead's messages, by the server's clock. */
type Saved = ActionRef & { kind: ActionKind; dueAt: string; note: string; seenAt: string | null }
type Finished = ActionRef & { outcome: 'done' | 'removed' | 'not_needed'; seenAt: string | null }
type Snoozed = ActionRef & { dueAt: string }
/** `confirmText` is sent to the lead now, and the reminder at `remindAt`; null means that no such text is sent. */
type Booked = ActionRef & {
  startsAt: string
  place: string
  seenAt: string | null
  confirmText: string | null
  remindText: string | null
  remindAt: string | null
}
type Answered = ActionRef & {
  outcome: 'held' | 'missed'
  feeling: 'liked' | 'unsure' | 'disliked' | null
}

/** The arguments have the server's names. */
export type ActionDeed =
  | { kind: 'action.save'; given: Saved }
  | { kind: 'action.finish'; given: Finished }
  | { kind: 'action.snooze'; given: Snoozed }
  | { kind: 'visit.save'; given: Booked }
  | { kind: 'visit.outcome'; given: Answered }

/** The parts of a lead that an action may change. */
type Carried = { next: readonly NextAction[]; waitingSinceMs: number | null }
/** What tells whether a lead waits: its wait, and its conversation's last message. */
export type Talking = {
  waitingSinceMs: number | null
  lastMessage: { direction: 'incoming' | 'outgoing'; sentAtSeconds: number } | null
}

export const UNKNOWN_ACTION: ActionRef = { actionId: null, actionOperation: null }

const BEGINNING = 8

/**
 * Names an action by id and operation if both are known, because the outbox may apply the operation to the row again.
 */
export function refOf({ id, operationId }: NextAction): ActionRef {
  return { actionId: id, actionOperation: wholeOperation(operationId) }
}

/** Returns the whole operation id; null if only its first characters are known. */
export const wholeOperation = (operationId: string | null) =>
  operationId !== null && operationId.length > BEGINNING ? operationId : null

export const beginning = (operationId: string | null) => operationId && operationId.slice(0, BEGINNING)

/** Returns the time of the lead's newest message on this device; null if there is none. */
export function seenOf({ lastMessage, waitingSinceMs }: Talking) {
  const seenMs = Math.max((lastMessage?.sentAtSeconds ?? 0) * 1000, waitingSinceMs ?? 0)
  return seenMs === 0 ? null : new Date(seenMs).toISOString()
}

/** Returns the lead as it is after the change. */
export function afterDeed(lead: Carried & Talking, deed: ActionDeed, operationId: string): Carried {
  const { next, waitingSinceMs } = lead
  const { actionId, actionOperation } = deed.given
  const setBy = (operation: string | null) =>
    next.find(({ operationId: by }) => by !== null && beginning(by) === beginning(operation))
  const meant = next.find(({ id }) => id !== null && id === actionId) ?? setBy(actionOperation)
  switch (deed.kind) {
    case 'action.finish': {
      const isQuiet = deed.given.outcome === 'not_needed'
      return {
        next: next.filter((action) => action !== meant),
        waitingSinceMs: isQuiet ? unseen(lead, deed.given.seenAt) : waitingSinceMs,
      }
    }
    case 'action.snooze': {
      const dueAtMs = Date.parse(deed.given.dueAt)
      return { next: meant ? inOrder(next, meant, { ...meant, dueAtMs }) : next, waitingSinceMs }
    }
    case 'visit.outcome':
      return { next: next.filter((action) => action !== meant), waitingSinceMs }
    case 'visit.save':
    case 'action.save': {
      const { kind, note, dueAt, seenAt } = deed.kind === 'action.save' ? deed.given : asAction(deed.given)
      const wanted = { kind, note, dueAtMs: Date.parse(dueAt) }
      // Finds the action by operation too, because a live event may bring it before the operation's own answer.
      const before = meant ?? setBy(operationId)
      const isOwn = !before || beginning(before.operationId) === beginning(operationId)
      const by = isOwn ? operationId : before.operationId
      const saved = { id: before?.id ?? null, operationId: by, ...wanted }
      return { next: inOrder(next, before, saved), waitingSinceMs: unseen(lead, seenAt) }
    }
  }
}

const asAction = ({ startsAt, place, seenAt }: Booked) =>
  ({ kind: 'visit', note: place, dueAt: startsAt, seenAt }) as const

/** Tells since when the lead waits, counting messages after `seenAt` only; null if there are none. */
export function unseen({ lastMessage, waitingSinceMs }: Talking, seenAt: string | null): number | null {
  const seenMs = seenAt === null ? Infinity : Date.parse(seenAt)
  const newestMs = lastMessage?.direction === 'incoming' ? lastMessage.sentAtSeconds * 1000 : 0
  const waitMs = Math.max(newestMs, waitingSinceMs ?? 0)
  return waitingSinceMs !== null && waitMs > seenMs ? waitMs : null
}

function inOrder(next: readonly NextAction[], before: NextAction | undefined, after: NextAction) {
  return [...next.filter((action) => action !== before), after].toSorted(
    (one, other) => one.dueAtMs - other.dueAtMs,
  )
}
