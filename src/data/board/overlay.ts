// A board with the outbox entries applied that the server does not have yet.
import { areAlike, type Overlay, overlayOf, withAdditions, withOverlay } from '#domain/outbox/overlay.ts'
import type { Pending } from '../pending.ts'
import type { Board } from './rows.ts'

type Laid = { from: Board; overlay: Overlay; board: Board }

/**
 * Applies entries to one board after another. A board that looks as before stays the same object: a move renders once,
 * not again when the device has stored it and when it has been sent.
 */
export function createBoardOverlay() {
  let last: Laid | undefined
  return (from: Board, { entries, calmSinceMs }: Pending, instanceName?: string): Board => {
    const unseen = entries.filter(({ appliedAtMs }) => appliedAtMs === null || appliedAtMs >= from.askedAtMs)
    // Leads added on this device are on the board of their broker alone.
    const known = instanceName === undefined ? from.leads : withAdditions(from.leads, unseen, instanceName)
    const closed = from.stages.filter(({ kind }) => kind !== 'open').map(({ slug }) => slug)
    const overlay = overlayOf(known, unseen, { calmSinceMs, closedSlugs: new Set(closed) })
    const isSame = last?.from === from && known === from.leads && areAlike(last.overlay, overlay)
    if (last && isSame) return last.board
    const leads = withOverlay(known, overlay)
    last = { from, overlay, board: leads === from.leads ? from : { ...from, leads } }
    return last.board
  }
}

export const layOverBoard = (board: Board, pending: Pending): Board => createBoardOverlay()(board, pending)
