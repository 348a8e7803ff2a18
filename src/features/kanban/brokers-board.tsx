// The leads of several brokers on one board, searched, dragged, noted, opened, and chosen together. Spec 2.12; INTERACTIONS 6, 7; design/png/desk-05.
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import type { Board } from '#data/board-rows.ts'
import { displayName } from '#domain/broker.ts'
import type { Lead } from '#domain/lead.ts'
import { BoardSheets } from './board-sheets.tsx'
import { createBoardView } from './board-view.ts'
import { CardAuthor } from './card-author.ts'
import { ChoosableFace } from './choosable-face.tsx'
import { type Anchor, type Chosen, ChoosingContext, chosenAfter } from './choosing.ts'
import { columnOf } from './drag-rules.ts'
import { StageColumns } from './stage-columns.tsx'
import { CHOOSE_KEYS } from './choosing-texts.ts'
import { useBoardMoves } from './use-board-moves.ts'
import { useColumnSearch } from './use-column-search.tsx'
import { useSheets } from './use-sheets.ts'

type BrokersBoardProps = {
  board: Board
  chosen: Chosen
  onChosen: (chosen: Chosen) => void
  /** Both stay the same functions, or every card is drawn again. */
  onOpen: (leadId: number) => void
  onPending: (leadId: number) => void
}

const brokerOf = ({ instanceName }: Lead) => displayName(instanceName)

export function BrokersBoard({ board, chosen, onChosen, onOpen, onPending }: BrokersBoardProps) {
  const [view] = useState(createBoardView)
  const columns = useMemo(() => view(board), [board, view])
  const moves = useBoardMoves(columns)
  const { shown, tools, notice } = useColumnSearch(columns)
  const { sheet, haveOpened, actions, close } = useSheets({ onOpen, onPending })
  const lead = sheet && board.leads.get(sheet.leadId)
  const anchor = useRef<Anchor>(null)
  const choose = ({ id: leadId }: Lead, isRange: boolean) => {
    onChosen(chosenAfter(chosen, shown, { leadId, anchor: anchor.current, isRange }))
    anchor.current = leadId
  }
  const chooseByKey = (event: KeyboardEvent) => {
    const { target, key, ctrlKey, altKey, metaKey } = event
    const isOurs =
      target instanceof Element && target.matches('article[data-lead]') && key.toLowerCase() === 'x'
    if (!isOurs || ctrlKey || altKey || metaKey || event.defaultPrevented) return
    const id = Number(target.getAttribute('data-lead'))
    const found = columnOf(shown, id)?.leads.find((each) => each.id === id)
    if (!found) return
    event.preventDefault()
    choose(found, event.shiftKey)
  }
  return (
    <ChoosingContext value={{ chosen, choose }}>
      {/* Its cards take the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        data-choosing={chosen.size > 0 || undefined}
        onKeyDown={chooseByKey}
        className="group/choosing flex min-h-0 min-w-0 grow flex-col [&_article:has(:checked)]:bg-primary-soft"
      >
        <div className="px-4 pb-3 lg:px-8">{tools}</div>
        <p className="sr-only">{CHOOSE_KEYS}</p>
        {notice || (
          <CardAuthor value={brokerOf}>
            <StageColumns
              columns={shown}
              moves={moves}
              isDragOff={lead !== undefined}
              Face={ChoosableFace}
              {...actions}
            />
          </CardAuthor>
        )}
      </div>
      {haveOpened && (
        <BoardSheets
          columns={columns}
          noted={sheet?.kind === 'notes' ? lead : undefined}
          moving={sheet?.kind === 'move' ? lead : undefined}
          onMove={(moved, toSlug) => moves.move(moved, toSlug, 'sheet')}
          onClose={close}
        />
      )}
    </ChoosingContext>
  )
}
