// Which sheet of a card is open over the board, and what its cards ask for.
import { useMemo, useState } from 'react'
import type { CardActions } from './card/card-actions.ts'

type Sheet = { kind: 'notes' | 'move'; leadId: number }

type Outside = Pick<CardActions, 'onOpen' | 'onPending' | 'onNext' | 'Line'>

const atOnce = (show: () => void) => show()

/** `whenHere` lets them open. The actions stay the same as long as what is given does, or every card is drawn again. */
export function useSheets({ onOpen, onPending, onNext, Line }: Outside, whenHere = atOnce) {
  const [sheet, setSheet] = useState<Sheet>()
  // Once shown they stay, closed, so that the focus finds its way back to the card.
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
