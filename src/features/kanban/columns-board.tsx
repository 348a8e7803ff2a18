// The board from 768 px on: columns of 240 px side by side. Spec 2.9; DESIGN-SYSTEM 8; design/png/desk-05.
import { useId, useRef } from 'react'
import { hueOf } from '#ui/hue.ts'
import type { Column } from './board-view.ts'
import { CardList } from './card-list.tsx'
import { BOARD_TITLE, contacts, DROP_HINT, emptyStage } from './texts.ts'

type ColumnsBoardProps = { columns: readonly Column[]; onOpen: (leadId: number) => void }

export function ColumnsBoard({ columns, onOpen }: ColumnsBoardProps) {
  const total = columns.reduce((sum, { total: inColumn }) => sum + inColumn, 0)
  return (
    <div className="flex min-h-0 grow flex-col">
      <header className="px-4 pt-4 pb-4 lg:px-8 lg:pt-7">
        <h1 className="text-24 font-semibold tracking-heading">{BOARD_TITLE}</h1>
        <p className="mt-0.75 text-14 text-text-3">{contacts(total)}</p>
      </header>
      <div className="flex min-h-0 grow gap-3.5 overflow-x-auto px-4 pb-4 lg:px-8">
        {columns.map((column) => (
          <StageColumn key={column.stage.slug} column={column} onOpen={onOpen} />
        ))}
      </div>
    </div>
  )
}

type StageColumnProps = { column: Column; onOpen: (leadId: number) => void }

function StageColumn({ column: { stage, leads, total }, onOpen }: StageColumnProps) {
  const titleId = useId()
  const scroller = useRef<HTMLDivElement>(null)
  return (
    <section
      aria-labelledby={titleId}
      data-hue={hueOf(stage.slug)}
      className="flex w-60 shrink-0 flex-col rounded-card bg-surface-2"
    >
      <h2 id={titleId} className="flex min-h-11.5 items-center gap-2 px-4 text-14 font-semibold">
        <span aria-hidden className="size-2 shrink-0 rounded-full bg-hue-dot" />
        <span className="truncate">{stage.name}</span>
        <span className="font-regular text-text-3 tabular-nums">({total})</span>
      </h2>
      <div
        ref={scroller}
        className="[overflow-anchor:none] min-h-0 grow overflow-y-auto overscroll-contain rounded-card px-2 pt-px pb-2"
      >
        {leads.length > 0 ? (
          <CardList leads={leads} density="compact" label={stage.name} scroller={scroller} onOpen={onOpen} />
        ) : (
          <p className="rounded-tab border border-dashed border-border-strong px-4 py-8 text-center text-13 text-text-2">
            <span className="block font-medium">{emptyStage(stage.name)}</span>
            {DROP_HINT}
          </p>
        )}
      </div>
    </section>
  )
}
