// Search over columns: the matching cards stay in their stages, and can be opened and moved as usual.
import { SearchX } from 'lucide-react'
import { type ReactNode, Suspense, useDeferredValue, useMemo, useRef, useState } from 'react'
import { toQuery } from '#domain/search.ts'
import { Button } from '#ui/primitives/button.tsx'
import { State } from '#ui/feedback/state.tsx'
import type { Column } from '../ground/board-view.ts'
import { SearchField } from './search-field.tsx'
import { CLEAR_SEARCH, found, noneWith, STILL_READING } from './texts.ts'
import { filterColumns } from './search-view.ts'
import { brokersOf, foundMessages } from './found-messages-loader.ts'
import { useFoldAhead } from './use-search-index-ahead.ts'
import { useSearchKey } from './use-search-key.ts'

type ColumnSearch = {
  /** The columns with matching cards only; with all cards if the search is empty. */
  shown: readonly Column[]
  /** The search field. */
  tools: ReactNode
  /** Shown in place of the columns if no card matches. */
  notice: ReactNode
  /** Beside the columns: messages in which the text was found. */
  messages: ReactNode
}

export function useColumnSearch(columns: readonly Column[], onOpen: (leadId: number) => void): ColumnSearch {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const [hasFocused, setFocused] = useState(false)
  useSearchKey(() => {
    field.current?.focus()
    field.current?.select()
  })
  useFoldAhead(columns, hasFocused)
  // The field shows typed text at once; the results follow a moment later.
  const searched = useDeferredValue(text)
  const matching = useMemo(() => {
    const query = toQuery(searched)
    return query && filterColumns(columns, query)
  }, [columns, searched])
  const count = matching?.reduce((sum, { total }) => sum + total, 0)
  const isReading = columns.some(({ leads, total }) => total > leads.length)
  const clear = () => {
    setText('')
    field.current?.focus()
  }
  const tools = (
    <div className="flex w-80 max-w-full flex-col" onFocus={() => setFocused(true)}>
      <SearchField text={text} onText={setText} onLeave={() => field.current?.blur()} field={field} />
      <output className="sr-only">{count !== undefined && count > 0 && found(count)}</output>
      {matching && isReading && <p className="pt-1.5 text-13 text-text-3">{STILL_READING}</p>}
    </div>
  )
  const notice = count === 0 && (
    <State kind="empty" icon={SearchX} title={noneWith(searched)}>
      <Button variant="line" onClick={clear}>
        {CLEAR_SEARCH}
      </Button>
    </State>
  )
  const brokers = useMemo(() => brokersOf(columns), [columns])
  const messages = matching && (
    <Suspense>
      <foundMessages.Component
        {...{ text: searched, brokers, onOpen }}
        className="w-80 shrink-0 overflow-y-auto overscroll-contain px-4 pb-4"
      />
    </Suspense>
  )
  return { shown: matching ?? columns, tools, notice, messages }
}
