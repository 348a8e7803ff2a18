// A broker's board in every state: loading, empty, failed, offline, and with leads.
import { Inbox } from 'lucide-react'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { type BoardHandle, useBoard } from '#data/board/leads.ts'
import { idByNow } from '#data/pending.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { formatHour } from '#domain/format.ts'
import { State } from '#ui/feedback/state.tsx'
import { lazily, useIdlePreload } from '#ui/lazily.ts'
import { Button } from '#ui/primitives/button.tsx'
import { useMedia, WIDE } from '#ui/media.ts'
import { BoardSkeleton } from './board-skeleton.tsx'
import { type Column, createBoardView } from './ground/board-view.ts'
import { windowed } from './columns/card-list.tsx'
import { NarrowBoard } from './pager/narrow-board.tsx'
import { ADD_LEAD, BOARD_TITLE } from './ground/texts.ts'
import { useBoardMoves } from './moves/use-board-moves.ts'
import { loadDay, useDay } from './use-day.ts'
import { useSheets } from './ground/use-sheets.ts'

const sheets = lazily(async () => (await import('./moves/board-sheets.tsx')).BoardSheets)
const failed = lazily(async () => (await import('#ui/feedback/failed-read.tsx')).FailedRead)
// Narrow windows do not load the columns' code; wide ones load it together with the leads.
const wide = lazily(async () => (await import('./wide-board.tsx')).WideBoard)

type BrokerBoardProps = {
  instanceName: string
  /** The stage that fills a phone's screen; undefined for the default stage. */
  stageSlug: string | undefined
  onStage: (slug: string) => void
  /** The filter, as written in the address; undefined if all leads are shown. */
  filter: string | undefined
  /** Called with the chosen filter, and with a stage that has matches. */
  onFilter: (filter: string | undefined, stageSlug?: string) => void
  /**
   * Opens a lead's conversation. Callers pass the same function at every render, otherwise every card renders again.
   */
  onOpen: (leadId: number) => void
  /** Opens the lead's outbox entries. Callers pass the same function at every render. */
  onPending: (leadId: number) => void
  /** Opens the form of the lead's next step. Callers pass the same function at every render. */
  onNext: (leadId: number) => void
  /** Marks a contact as private. */
  onPrivate: (lead: Lead) => void
  onAdd: () => void
}

/** Heights of the row of filter chips, reserved before its code is loaded. */
const FILTERS_PX = { narrow: 50, wide: 48 }
const NO_COLUMNS: readonly Column[] = []

export function BrokerBoard(props: BrokerBoardProps) {
  const { instanceName, stageSlug, onStage, onOpen, onPending, onNext, onPrivate, onAdd } = props
  const handle = useBoard(instanceName)
  const { board } = handle
  const [view] = useState(createBoardView)
  const all = useMemo(() => (board ? view(board) : NO_COLUMNS), [board, view])
  const { day, shown: columns, ...filtering } = useDay(all, props)
  const isWide = useMedia(WIDE)
  useEffect(() => {
    if (isWide) void Promise.all([wide.load(), windowed.load(), loadDay()]).catch(() => undefined)
  }, [isWide])
  const moves = useBoardMoves(all)
  const { sheet, haveOpened, actions, close } = useSheets(
    { onOpen, onPending, onNext, Line: day?.Line },
    sheets.open,
  )
  useIdlePreload(sheets.load)
  useIdlePreload(failed.load)

  if (!board) return <NoBoard pull={handle.pull} isWide={isWide} />
  const lead = sheet && board.leads.get(idByNow(sheet.leadId))
  // The reserved height keeps the board in place when the filter chips appear.
  const filters = (
    <div className="shrink-0" style={{ minHeight: isWide ? FILTERS_PX.wide : FILTERS_PX.narrow }}>
      {day && <day.Filters {...{ columns: all, stageSlug, ...filtering }} />}
    </div>
  )
  return (
    // The area that overlays such as the phone's search cover; the bar above stays free.
    <div className="relative flex min-h-0 min-w-0 grow flex-col">
      <Stale {...handle} />
      {board.leads.size === 0 && board.missing.size === 0 ? (
        <>
          <h1 className="sr-only">{BOARD_TITLE}</h1>
          <State
            kind="empty"
            icon={Inbox}
            title="Nenhum contato ainda."
            hint="Eles aparecem aqui quando alguém escrever."
          >
            <Button variant="soft" onClick={onAdd}>
              {ADD_LEAD}
            </Button>
          </State>
        </>
      ) : isWide ? (
        <Suspense fallback={<BoardSkeleton isWide />}>
          <wide.Component
            columns={columns}
            moves={moves}
            isDragOff={lead !== undefined}
            filters={filters}
            onAdd={onAdd}
            {...actions}
          />
        </Suspense>
      ) : (
        <NarrowBoard
          heading={BOARD_TITLE}
          columns={columns}
          moves={moves}
          stageSlug={stageSlug}
          onStage={onStage}
          filters={filters}
          onAdd={onAdd}
          {...actions}
        />
      )}
      <Suspense>
        {haveOpened && (
          <sheets.Component
            columns={all}
            noted={sheet?.kind === 'notes' ? lead : undefined}
            moving={sheet?.kind === 'move' ? lead : undefined}
            onMove={(moved, toSlug) => moves.move(moved, toSlug, 'sheet')}
            onPrivate={onPrivate}
            onClose={close}
          />
        )}
      </Suspense>
    </div>
  )
}

function NoBoard({ pull, isWide }: Pick<BoardHandle, 'pull'> & { isWide: boolean }) {
  if (!pull.error) return <BoardSkeleton isWide={isWide} />
  return (
    <>
      <h1 className="sr-only">{BOARD_TITLE}</h1>
      <Suspense>
        <failed.Component of={pull} />
      </Suspense>
    </>
  )
}

/** Shows a failed refresh. Offline it shows nothing, because the strip above the board tells how old the data is. */
function Stale({ pull, updatedAtMs }: BoardHandle) {
  const isOnline = useIsOnline()
  return (
    <div className="px-4 empty:hidden lg:px-8">
      <Suspense>
        {isOnline && pull.error && <failed.Component of={pull} shownFrom={formatHour(updatedAtMs)} />}
      </Suspense>
    </div>
  )
}
