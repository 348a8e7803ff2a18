// The broker's board in columns with its search.
import type { ReactNode } from 'react'
import { ColumnsBoard } from './columns-board.tsx'
import type { StageColumnsProps } from './stage-columns.tsx'
import { useColumnSearch } from './use-column-search.tsx'

export function WideBoard({ columns, ...board }: StageColumnsProps & { filters: ReactNode }) {
  const { shown, ...search } = useColumnSearch(columns)
  return <ColumnsBoard {...board} columns={shown} {...search} />
}
