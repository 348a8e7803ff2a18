// The board in columns with its search: what is typed leaves the cards meant, each in its stage, to be opened and moved as ever. INTERACTIONS 6, 7, 9.
import { SearchX } from 'lucide-react'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { toQuery } from '#domain/search.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ColumnsBoard } from './columns-board.tsx'
import { SearchField } from './search-field.tsx'
import { CLEAR_SEARCH, found, noneWith, STILL_READING } from './search-texts.ts'
import { filterColumns } from './search-view.ts'
import type { StageColumnsProps } from './stage-columns.tsx'
import { useFoldAhead } from './use-fold-ahead.ts'
import { useSearchKey } from './use-search-key.ts'

export function WideBoard({ columns, ...board }: StageColumnsProps) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const [hasFocused, setFocused] = useState(false)
  useSearchKey(() => {
    field.current?.focus()
    field.current?.select()
  })
  useFoldAhead(columns, hasFocused)
  // What is typed shows at once, what is found a moment later.
  const shown = useDeferredValue(text)
  const matching = useMemo(() => {
    const query = toQuery(shown)
    return query && filterColumns(columns, query)
  }, [columns, shown])
  const count = matching?.reduce((sum, { total }) => sum + total, 0)
  const isReading = columns.some(({ leads, total }) => total > leads.length)
  const clear = () => {
    setText('')
    field.current?.focus()
  }
  return (
    <ColumnsBoard
      {...board}
      columns={matching ?? columns}
      tools={
        <div className="flex w-80 max-w-full flex-col" onFocus={() => setFocused(true)}>
          <SearchField text={text} onText={setText} onLeave={() => field.current?.blur()} field={field} />
          <output className="sr-only">{count !== undefined && count > 0 && found(count)}</output>
          {matching && isReading && <p className="pt-1.5 text-13 text-text-3">{STILL_READING}</p>}
        </div>
      }
      notice={
        count === 0 && (
          <EmptyState icon={SearchX} title={noneWith(shown)}>
            <Button variant="line" onClick={clear}>
              {CLEAR_SEARCH}
            </Button>
          </EmptyState>
        )
      }
    />
  )
}
