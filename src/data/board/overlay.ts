// A board with the outbox entries applied that the server does not have yet.
import { areAlike, type Overlay, overlayOf, withAdditions, withOverlay } from '#domain/outbox/overlay.ts'
import type { Pending } from '../pending.ts'
import type { Board } from './rows.ts'

type Laid = { known: Board['leads']; overlay: Overlay; board: Board }

/** By the server's board; all that show it share what was laid over it last. */
const laid = new WeakMap<Board, Laid>()

/**
 * Applies entries to a board. One that looks as before stays the same object: a move renders once, not again when the
 * device has stored it and when it has been sent.
 */
export function layOverBoard(from: Board, { entries, calmSinceMs }: Pending, instanceName?: string): Board {
  const unseen = entries.filter(({ appliedAtMs }) => appliedAtMs === null || appliedAtMs >= from.askedAtMs)
  // Leads added on this device are on the board of their broker alone.
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
