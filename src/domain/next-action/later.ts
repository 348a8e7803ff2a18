// A lead's scheduled texts, and how writing, changing or cancelling one changes the lead.
import { beginning, type Talking, unseen, wholeOperation } from './next-action.ts'

export type Later = {
  /** Null until the server has the text. */
  id: number | null
  /**
   * The operation that wrote the text. Complete while this device remembers it; otherwise only its first characters are
   * known.
   */
  operationId: string | null
  /** When the text is sent; null means now. */
  dueAtMs: number | null
  /** The portal cancels the text if the lead writes first. */
  unlessAnswered: boolean
  /** Why the portal holds the text back: 'answered', or another reason of the server. Null if it waits for its time. */
  why: string | null
  /** The text; null on devices that did not write it, because boards do not contain it. */
  text: string | null
}

/** Identifies a scheduled text by the server's id, or by its operation. */
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

/** Returns the lead as it is after the change. */
export function afterLater(lead: Carried & Talking, deed: LaterDeed, operationId: string): Carried {
  const { later = [], waitingSinceMs } = lead
  const { scheduledId, scheduledOperation } = deed.given
  const setBy = (operation: string | null) =>
    later.find(({ operationId: by }) => by !== null && beginning(by) === beginning(operation))
  const meant = later.find(({ id }) => id !== null && id === scheduledId) ?? setBy(scheduledOperation)
  if (deed.kind === 'message.unschedule')
    return { later: later.filter((text) => text !== meant), waitingSinceMs }
  // Finds the text by operation too, because a live event may bring it before the operation's own answer. The text to
  // change may also be gone by then.
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
