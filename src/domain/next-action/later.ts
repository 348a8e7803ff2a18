// Texts for later, as a lead carries them, and what writing, changing or taking one back makes of that.
import { beginning, type Talking, unseen, wholeOperation } from './next-action.ts'

export type Later = {
  /** Null until the server has it. */
  id: number | null
  /** What wrote it: whole while this device remembers that it did, else how it begins. */
  operationId: string | null
  /** Null: now. */
  dueAtMs: number | null
  /** It is given up when the lead writes first. */
  unlessAnswered: boolean
  /** Why it stands still: 'answered', or the server's reason; null while it waits for its time. */
  why: string | null
  /** Known where this device wrote it. */
  text: string | null
}

/** Which one is meant, by whichever is known. */
export type LaterRef = { scheduledId: number | null; scheduledOperation: string | null }

export type LaterDeed =
  | {
      kind: 'message.schedule'
      given: LaterRef & { text: string; dueAt: string | null; unlessAnswered: boolean; seenAt: string | null }
    }
  | { kind: 'message.unschedule'; given: LaterRef }

export const UNKNOWN_TEXT: LaterRef = { scheduledId: null, scheduledOperation: null }

export function laterRefOf({ id, operationId }: Later): LaterRef {
  return { scheduledId: id, scheduledOperation: wholeOperation(operationId) }
}

type Carried = { later?: readonly Later[] | undefined; waitingSinceMs: number | null }

/** What a lead carries once it is done. */
export function afterLater(lead: Carried & Talking, deed: LaterDeed, operationId: string): Carried {
  const { later = [], waitingSinceMs } = lead
  const { scheduledId, scheduledOperation } = deed.given
  const setBy = (operation: string | null) =>
    later.find(({ operationId: by }) => by !== null && beginning(by) === beginning(operation))
  const meant = later.find(({ id }) => id !== null && id === scheduledId) ?? setBy(scheduledOperation)
  if (deed.kind === 'message.unschedule')
    return { later: later.filter((text) => text !== meant), waitingSinceMs }
  // The row may come by a live event before its own answer does; what was to be changed may be gone by then.
  const before = meant ?? setBy(operationId)
  if (!before && (scheduledId ?? scheduledOperation) !== null) return { later, waitingSinceMs }
  const { text, dueAt, unlessAnswered, seenAt } = deed.given
  const written: Later = {
    id: before?.id ?? null,
    operationId:
      before && beginning(before.operationId) !== beginning(operationId) ? before.operationId : operationId,
    dueAtMs: dueAt === null ? null : Date.parse(dueAt),
    unlessAnswered,
    why: null,
    text,
  }
  return {
    later: [...later.filter((other) => other !== before), written],
    waitingSinceMs: unseen(lead, seenAt),
  }
}
