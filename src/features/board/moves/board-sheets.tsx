// The sheets that a card opens over the board: notes, and the choice of another stage. Loaded after the first cards.
import { toggleUnread } from '#data/read-marks.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { type Column, stageFinder } from '../ground/board-view.ts'
import { MoveSheet } from './move-sheet.tsx'
import { NotesDialog } from '../notes/notes-dialog.tsx'
import { toast } from '#ui/feedback/toast.ts'

const toggle = (lead: Lead) =>
  void toggleUnread(lead).catch(() => toast('A conversa não foi marcada. Tente de novo.', 'error'))

type BoardSheetsProps = {
  columns: readonly Column[]
  /** The lead whose notes are open. */
  noted: Lead | undefined
  /** The lead whose new stage is being chosen. */
  moving: Lead | undefined
  onMove: (lead: Lead, toSlug: string) => void
  /** Undefined if leads of this board cannot be transferred. */
  onTransfer?: (lead: Lead) => void
  /** Undefined if contacts of this board cannot be marked as private. */
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
      {/* Only a broker's own leads can be private or marked as unread, so `onPrivate` tells whether to offer both. */}
      <MoveSheet
        columns={columns}
        lead={moving}
        {...move}
        onUnread={move.onPrivate && toggle}
        onClose={onClose}
      />
    </>
  )
}
