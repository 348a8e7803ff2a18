// Tracks which sheet is open over the board, and provides the cards' callbacks.
import { useMemo, useState } from 'react'
import type { CardActions } from './card-actions.ts'

type Sheet = { kind: 'notes' | 'move'; leadId: number }

type Outside = Pick<CardActions, 'onOpen' | 'onPending' | 'onNext' | 'Line'>

const atOnce = (show: () => void) => show()

/**
 * `whenHere` delays the opening until the sheets' code is loaded. The callbacks stay the same while the arguments do,
 * otherwise every card renders again.
 */
export function useSheets({ onOpen, onPending, onNext, Line }: Outside, whenHere = atOnce) {
  const [sheet, setSheet] = useState<Sheet>()
  // Once opened, sheets stay mounted while closed, so that focus returns to the card.
  const [haveOpened, setOpened] = useState(false)
  if (sheet && !haveOpened) setOpened(true)
  const actions = useMemo(
    () => ({
      onOpen,
      onPending,
      onNext,
      Line,
      onNotes: (leadId: number) => whenHere(() => setSheet({ kind: 'notes', leadId })),
      onMoveSheet: (leadId: number) => whenHere(() => setSheet({ kind: 'move', leadId })),
    }),
    [onOpen, onPending, onNext, Line, whenHere],
  )
  return { sheet, haveOpened, actions, close: () => setSheet(undefined) }
}
