// Moves a lead to another stage. The board shows it at once, and takes it back if the server refuses.
import { inverseOf, needsDecision } from '#domain/outbox/command.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { addUndo, type Entries } from '#domain/outbox/queue.ts'
import { watchOutbox } from '#offline/outbox.ts'
import { leadRef, newOperationId, perform, record } from '../operation.ts'

/** A move; `lead` is as it was before. */
export type LeadMove = { operationId: string; lead: Lead; fromSlug: string; toSlug: string }

/** `reason` is the server's text; null if the move failed without one. `stageSlug` is the lead's present stage. */
export type RefusedMove = { move: LeadMove; reason: string | null; stageSlug: string }

const listeners = new Set<(refused: RefusedMove) => void>()
/** Moves of this device whose result is not known, by operation id. */
const open = new Map<string, LeadMove>()
let stopWatching: (() => void) | null = null

/** Calls the listener when a move has failed. By then the board shows the lead in its old stage. */
export function onRefusedMove(listener: (refused: RefusedMove) => void): () => void {
  listeners.add(listener)
  stopWatching ??= watchOutbox(({ entries }) => notify(entries))
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    stopWatching?.()
    stopWatching = null
  }
}

/** The board shows the move at once. Resolves once the device has stored it. */
export async function moveLead(lead: Lead, toSlug: string): Promise<LeadMove> {
  const fromSlug = lead.stageSlug
  const entry = await perform({ kind: 'lead.move', lead: leadRef(lead), fromSlug, toSlug })
  const operationId = entry?.id ?? newOperationId()
  // Two moves before sending become one, so the undo must lead to the first one's stage.
  const begun = open.get(operationId)
  if (entry) open.set(operationId, { ...(begun ?? { operationId, lead, fromSlug }), toSlug })
  return { operationId, lead, fromSlug, toSlug }
}

/** Removes the move from the outbox if it was not sent, otherwise queues the inverse. */
export async function undoMove({ lead, fromSlug, toSlug }: LeadMove): Promise<void> {
  const inverse = inverseOf({ kind: 'lead.move', lead: leadRef(lead), fromSlug, toSlug })
  await record((entries, stamp) => addUndo(entries, inverse, stamp))
}

function notify(entries: Entries) {
  for (const [id, move] of open) {
    const entry = entries.find((candidate) => candidate.id === id)
    if (entry?.state === 'queued') continue
    open.delete(id)
    if (!entry || !needsDecision(entry)) continue
    const { reason = null, theirs = null } = entry.problem ?? {}
    const refused = { move, reason, stageSlug: theirs ?? move.fromSlug }
    for (const listener of listeners) listener(refused)
  }
}
