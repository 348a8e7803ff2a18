// What a broker is to do next for a lead, and what setting, putting off or finishing it makes of what the lead carries.
export type ActionKind = 'call' | 'message' | 'visit' | 'task'

export type NextAction = {
  /** Null until the server has it. */
  id: number | null
  /** What set it: whole while this device remembers that it did, else how it begins; null where no device did. */
  operationId: string | null
  kind: ActionKind
  dueAtMs: number
  note: string
}

/** Which one is meant, by whichever is known. */
export type ActionRef = { actionId: number | null; actionOperation: string | null }

/** `seenAt`: up to when what the lead wrote was seen, by the server's clock. */
type Saved = ActionRef & { kind: ActionKind; dueAt: string; note: string; seenAt: string | null }
type Finished = ActionRef & { outcome: 'done' | 'removed' | 'not_needed'; seenAt: string | null }
type Snoozed = ActionRef & { dueAt: string }
/** With what the lead is told of it, now and at `remindAt`; null: nothing. */
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

/** What is said to the server, under the names that it knows. */
export type ActionDeed =
  | { kind: 'action.save'; given: Saved }
  | { kind: 'action.finish'; given: Finished }
  | { kind: 'action.snooze'; given: Snoozed }
  | { kind: 'visit.save'; given: Booked }
  | { kind: 'visit.outcome'; given: Answered }

/** What a lead carries of it. */
type Carried = { next: readonly NextAction[]; waitingSinceMs: number | null }
/** And what was said last. */
export type Talking = {
  waitingSinceMs: number | null
  lastMessage: { direction: 'incoming' | 'outgoing'; sentAtSeconds: number } | null
}

export const UNKNOWN_ACTION: ActionRef = { actionId: null, actionOperation: null }

const BEGINNING = 8

/** By both names where both are known: what set it may be laid over the row once more. */
export function refOf({ id, operationId }: NextAction): ActionRef {
  return { actionId: id, actionOperation: wholeOperation(operationId) }
}

/** Null where it is only known how it begins. */
export const wholeOperation = (operationId: string | null) =>
  operationId !== null && operationId.length > BEGINNING ? operationId : null

export const beginning = (operationId: string | null) => operationId && operationId.slice(0, BEGINNING)

/** The newest thing of the lead's that stands on this device; null where nothing does. */
export function seenOf({ lastMessage, waitingSinceMs }: Talking) {
  const seenMs = Math.max((lastMessage?.sentAtSeconds ?? 0) * 1000, waitingSinceMs ?? 0)
  return seenMs === 0 ? null : new Date(seenMs).toISOString()
}

/** What a lead carries once it is done. */
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
      // The row may come by a live event before its own answer does.
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

/** Since when what came after `seenAt` waits. */
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
