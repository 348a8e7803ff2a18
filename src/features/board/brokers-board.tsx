// Shows several brokers' leads on one board, as columns or as a phone's board. Administrators search, move, open and
// select leads here.
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react'
import type { Board } from '#data/board/rows.ts'
import { idByNow } from '#data/pending.ts'
import { displayName } from '#domain/broker.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { useMedia, WIDE } from '#ui/media.ts'
import { BoardSheets } from './moves/board-sheets.tsx'
import { type Column, createBoardView, columnOf } from './ground/board-view.ts'
import { BrokerLine } from './card/broker-line.tsx'
import { CardAuthor } from './card/card-author.ts'
import { ChoosableFace } from './card/choosable-face.tsx'
import { type Anchor, type Chosen, ChoosingContext, chosenAfter } from './ground/selection.ts'
import { NarrowBoard } from './pager/narrow-board.tsx'
import { StageColumns, type StageColumnsProps } from './columns/stage-columns.tsx'
import { useBoardMoves } from './moves/use-board-moves.ts'
import { useColumnSearch } from './search/use-column-search.tsx'
import { useSheets } from './ground/use-sheets.ts'

type Choice = {
  chosen: Chosen
  onChosen: (chosen: Chosen) => void
}

type BrokersBoardProps = Choice & {
  board: Board
  /** Callers pass the same functions at every render, otherwise every card renders again. */
  onOpen: (leadId: number) => void
  onPending: (leadId: number) => void
  /** Transfers a lead to another broker; opened from 'Mover para'. */
  onTransfer: (lead: Lead) => void
}

const brokerOf = ({ instanceName }: Lead) => displayName(instanceName)

export function BrokersBoard({ board, onOpen, onPending, onTransfer, ...choice }: BrokersBoardProps) {
  const [view] = useState(createBoardView)
  const columns = useMemo(() => view(board), [board, view])
  const moves = useBoardMoves(columns)
  const { sheet, haveOpened, actions, close } = useSheets({ onOpen, onPending, Line: BrokerLine })
  const isWide = useMedia(WIDE)
  const [stageSlug, setStageSlug] = useState<string>()
  const lead = sheet && board.leads.get(idByNow(sheet.leadId))
  const shared = { columns, moves, Face: ChoosableFace, ...actions }
  return (
    <CardAuthor value={brokerOf}>
      {isWide ? (
        <SearchedColumns {...shared} {...choice} isDragOff={lead !== undefined} />
      ) : (
        <Choosing {...choice} shown={columns}>
          <NarrowBoard {...shared} stageSlug={stageSlug} onStage={setStageSlug} />
        </Choosing>
      )}
      {haveOpened && (
        <BoardSheets
          columns={columns}
          noted={sheet?.kind === 'notes' ? lead : undefined}
          moving={sheet?.kind === 'move' ? lead : undefined}
          onMove={(moved, toSlug) => moves.move(moved, toSlug, 'sheet')}
          onTransfer={onTransfer}
          onClose={close}
        />
      )}
    </CardAuthor>
  )
}

function SearchedColumns({ columns, chosen, onChosen, ...rest }: StageColumnsProps & Choice) {
  const { shown, tools, notice, messages } = useColumnSearch(columns, rest.onOpen)
  return (
    <Choosing {...{ chosen, onChosen, shown }}>
      <div className="px-4 pb-3 lg:px-8">{tools}</div>
      <div className="flex min-h-0 grow">
        <div className="flex min-h-0 min-w-0 grow flex-col">
          {notice || <StageColumns {...rest} columns={shown} />}
        </div>
        {messages}
      </div>
    </Choosing>
  )
}

type ChoosingProps = Choice & {
  /** The columns with the leads that can be selected, in their order. */
  shown: readonly Column[]
  children: ReactNode
}

function Choosing({ chosen, onChosen, shown, children }: ChoosingProps) {
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
      {/* The cards inside take the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        data-choosing={chosen.size > 0 || undefined}
        onKeyDown={chooseByKey}
        className="group/choosing relative flex min-h-0 min-w-0 grow flex-col [&_article:has(:checked)]:bg-primary-soft"
      >
        <p className="sr-only">X marca um contato; Shift com X marca até ele.</p>
        {children}
      </div>
    </ChoosingContext>
  )
}
