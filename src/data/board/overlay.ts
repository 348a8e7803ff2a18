// Applies pending changes to a board.
import { areAlike, type Overlay, overlayOf, withAdditions, withOverlay } from '#domain/outbox/overlay.ts'
import type { Pending } from '../pending.ts'
import type { Board } from './rows.ts'

type Laid = { known: Board['leads']; overlay: Overlay; board: Board }

/** The last result for each board of the server, so that all screens of a board share it. */
const laid = new WeakMap<Board, Laid>()

/**
 * Applies pending changes to a board. If nothing visible changes, the result stays the same object. So a move renders
 * once, not again when it is stored and when it is sent.
 */
export function layOverBoard(from: Board, { entries, calmSinceMs }: Pending, instanceName?: string): Board {
  const unseen = entries.filter(({ appliedAtMs }) => appliedAtMs === null || appliedAtMs >= from.askedAtMs)
  // A lead that this device added is only on its broker's board.
  const known = instanceName === undefined ? from.leads : withAdditions(from.leads, unseen, instanceName)
  const closed = from.stages.filter(({ kind }) => kind !== 'open').map(({ slug }) => slug)
  const overlay = overlayOf(known, unseen, { calmSinceMs, closedSlugs: new Set(closed) })
  const last = laid.get(from)
  if (last?.known === known && areAlike(last.overlay, overlay)) return last.board
  const leads = withOverlay(known, overlay)
  const board = leads === from.leads ? from : { ...from, leads }
  laid.set(from, { known, overlay, board })
  return board
}
