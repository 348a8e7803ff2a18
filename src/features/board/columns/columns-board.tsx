// The broker's board from 768 px on: title, search, and the stages as columns.
import type { ReactNode } from 'react'
import { StageColumns, type StageColumnsProps } from './stage-columns.tsx'
import { BOARD_TITLE, contacts } from '../ground/texts.ts'

type ColumnsBoardProps = StageColumnsProps & {
  /** The search, beside the title. */
  tools?: ReactNode
  /** The filter chips, below the title. */
  filters?: ReactNode
  /** Shown in place of the columns. */
  notice?: ReactNode
  /** Shown beside the columns: found messages, or a conversation. */
  beside?: ReactNode
}

export function ColumnsBoard({ tools, filters, notice, beside, ...board }: ColumnsBoardProps) {
  const total = board.columns.reduce((sum, { total: inColumn }) => sum + inColumn, 0)
  return (
    <div className="flex min-h-0 grow flex-col">
      <div className="board-top">
        <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 px-4 pt-4 pb-4 typing:py-1 lg:px-8 lg:pt-7">
          <div className="typing:hidden">
            <h1 className="text-24 font-semibold tracking-heading">{BOARD_TITLE}</h1>
            <p className="mt-0.75 text-14 text-text-3">{contacts(total)}</p>
          </div>
          {tools}
        </header>
        <div className="typing:hidden">{filters}</div>
      </div>
      <div className="flex min-h-0 grow">
        <div className="flex min-h-0 min-w-0 grow flex-col">{notice || <StageColumns {...board} />}</div>
        {beside}
      </div>
    </div>
  )
}
