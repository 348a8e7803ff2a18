// What a card opens over the board: its notes, and the choice of another stage. Fetched after the first cards.
import type { Lead } from '#domain/lead/lead.ts'
import { type Column, stageFinder } from './board-view.ts'
import { MoveSheet } from './moves/move-sheet.tsx'
import { NotesDialog } from './notes/notes-dialog.tsx'

type BoardSheetsProps = {
  columns: readonly Column[]
  /** Whose notes are open. */
  noted: Lead | undefined
  /** Who is about to be moved. */
  moving: Lead | undefined
  onMove: (lead: Lead, toSlug: string) => void
  /** Given where a lead can go to another broker as well. */
  onTransfer?: (lead: Lead) => void
  /** Given where a lead can be marked as none. */
  onPrivate?: (lead: Lead) => void
  onClose: () => void
}

export function BoardSheets({ columns, noted, onClose, moving, ...move }: BoardSheetsProps) {
  return (
    <>
      <NotesDialog
        lead={noted}
        stageName={(noted && stageFinder(columns)(noted)?.name) ?? ''}
        onClose={onClose}
      />
      <MoveSheet columns={columns} lead={moving} {...move} onClose={onClose} />
    </>
  )
}
