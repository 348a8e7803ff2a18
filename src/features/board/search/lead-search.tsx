// A phone's search on pages without a board: finds a broker's leads, with their cards' actions.
import { Suspense, useMemo, useState } from 'react'
import { useBoard } from '#data/board/leads.ts'
import { idByNow } from '#data/pending.ts'
import { createBoardView } from '../ground/board-view.ts'
import { BoardSheets } from '../moves/board-sheets.tsx'
import type { CardActions } from '../ground/card-actions.ts'
import { DayLine } from '../day/day-line.tsx'
import { useBoardMoves } from '../moves/use-board-moves.ts'
import { useSheets } from '../ground/use-sheets.ts'
import { SearchScreen } from './search-screen.tsx'

type LeadSearchProps = Pick<CardActions, 'onOpen' | 'onNext' | 'onPending'> & {
  instanceName: string
  onClose: () => void
}

export function LeadSearch({ instanceName, onOpen, onNext, onPending, onClose }: LeadSearchProps) {
  const { board } = useBoard(instanceName)
  const [view] = useState(createBoardView)
  const columns = useMemo(() => (board ? view(board) : []), [board, view])
  const [text, setText] = useState('')
  const moves = useBoardMoves(columns)
  const { sheet, actions, close } = useSheets({ onOpen, onNext, onPending, Line: DayLine })
  const lead = sheet && board?.leads.get(idByNow(sheet.leadId))
  return (
    <Suspense>
      <SearchScreen {...{ columns, text, onText: setText, onClose, ...actions }} />
      <BoardSheets
        columns={columns}
        noted={sheet?.kind === 'notes' ? lead : undefined}
        moving={sheet?.kind === 'move' ? lead : undefined}
        onMove={(moved, toSlug) => moves.move(moved, toSlug, 'sheet')}
        onClose={close}
      />
    </Suspense>
  )
}
