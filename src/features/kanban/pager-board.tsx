// The board on a phone: one stage a screen, the rail below. DESIGN-SYSTEM 8, 10; INTERACTIONS 2; design/png/phone-02.
import { Inbox } from 'lucide-react'
import { type RefObject, useId, useRef, useState } from 'react'
import { EmptyState } from '#ui/empty-state.tsx'
import { type Column, findColumn } from './board-view.ts'
import { CardList, type ListPlace } from './card-list.tsx'
import { StageRail, tabId } from './stage-rail.tsx'
import { BOARD_TITLE, DROP_HINT, emptyStage } from './texts.ts'

type PagerBoardProps = {
  columns: readonly Column[]
  stageSlug: string | undefined
  onStage: (slug: string) => void
  onOpen: (leadId: number) => void
}

export function PagerBoard({ columns, stageSlug, onStage, onOpen }: PagerBoardProps) {
  const panelId = useId()
  const scroller = useRef<HTMLDivElement>(null)
  /** Each stage keeps the place where it was left. */
  const [places] = useState(() => new Map<string, ListPlace>())
  const active = findColumn(columns, stageSlug)
  const column = columns[active]
  if (!column) return null

  const select = (index: number) => {
    const next = columns[index]?.stage.slug
    if (next === undefined) return
    if (index === active) return scroller.current?.scrollTo({ top: 0 })
    onStage(next)
  }

  return (
    <div className="flex min-h-0 grow flex-col">
      <header className="px-4 pt-2.5 pb-3">
        <p className="mb-0.75 text-13 leading-snug font-medium text-text-3">{BOARD_TITLE}</p>
        <h1 className="text-26 font-title tracking-heading">
          {column.stage.name} <span className="font-count text-text-3">({column.total})</span>
        </h1>
      </header>
      <StagePanel
        key={column.stage.slug}
        column={column}
        panelId={panelId}
        labelledBy={tabId(panelId, active)}
        scroller={scroller}
        places={places}
        onOpen={onOpen}
      />
      <StageRail columns={columns} active={active} onSelect={select} panelId={panelId} />
    </div>
  )
}

type StagePanelProps = {
  column: Column
  panelId: string
  labelledBy: string
  scroller: RefObject<HTMLDivElement | null>
  places: Map<string, ListPlace>
  onOpen: (leadId: number) => void
}

function StagePanel({ column: { stage, leads }, panelId, labelledBy, ...list }: StagePanelProps) {
  const { scroller, places, onOpen } = list
  return (
    <div
      ref={scroller}
      id={panelId}
      role="tabpanel"
      aria-labelledby={labelledBy}
      className="[overflow-anchor:none] min-h-0 grow touch-pan-y overflow-y-auto overscroll-contain px-4 pt-0.5 pb-4"
    >
      {leads.length > 0 ? (
        <CardList
          leads={leads}
          density="roomy"
          label={stage.name}
          scroller={scroller}
          place={places.get(stage.slug)}
          onOpen={onOpen}
          onLeave={(place) => places.set(stage.slug, place)}
        />
      ) : (
        <EmptyState icon={Inbox} title={emptyStage(stage.name)} hint={DROP_HINT} />
      )}
    </div>
  )
}
