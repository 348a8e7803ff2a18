// A broker's board on wide windows: columns and a search.
import { UserRoundPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#ui/primitives/button.tsx'
import { ADD_LEAD } from './ground/texts.ts'
import { ColumnsBoard } from './columns/columns-board.tsx'
import type { StageColumnsProps } from './columns/stage-columns.tsx'
import { useColumnSearch } from './search/use-column-search.tsx'

export function WideBoard({
  columns,
  onAdd,
  ...board
}: StageColumnsProps & { filters: ReactNode; onAdd: () => void }) {
  const { shown, tools, notice, messages } = useColumnSearch(columns, board.onOpen)
  return (
    <ColumnsBoard
      {...board}
      columns={shown}
      notice={notice}
      beside={messages}
      tools={
        <div className="flex flex-wrap items-start gap-3">
          {tools}
          <Button variant="soft" icon={UserRoundPlus} onClick={onAdd}>
            {ADD_LEAD}
          </Button>
        </div>
      }
    />
  )
}
