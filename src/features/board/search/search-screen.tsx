// The search on a phone: over the board, a full-width field and the matching leads of every stage.
import { ArrowLeft, Search, SearchX } from 'lucide-react'
import { Suspense, useDeferredValue, useMemo, useRef } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import { toQuery } from '#domain/search.ts'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { State } from '#ui/feedback/state.tsx'
import { useBackCloses } from '#ui/primitives/overlay/use-back-closes.ts'
import { type Column, stageFinder } from '../ground/board-view.ts'
import type { CardActions } from '../ground/card-actions.ts'
import { CardList } from '../columns/card-list.tsx'
import { SearchField } from './search-field.tsx'
import { CLEAR_SEARCH, found, noneWith, SEARCH, STILL_READING } from './texts.ts'
import { searchLeads } from './search-view.ts'
import { brokersOf, foundMessages } from './found-messages-loader.ts'
import { useFoldAhead } from './use-search-index-ahead.ts'

type SearchScreenProps = CardActions & {
  columns: readonly Column[]
  text: string
  onText: (text: string) => void
  onClose: () => void
}

export function SearchScreen({ columns, text, onText, onClose, ...actions }: SearchScreenProps) {
  const field = useRef<HTMLInputElement>(null)
  useBackCloses(true, onClose)
  useFoldAhead(columns, true)
  // The field shows typed text at once; the results follow a moment later.
  const shown = useDeferredValue(text)
  const results = useMemo(() => {
    const query = toQuery(shown)
    return query && searchLeads(columns, query)
  }, [columns, shown])
  const clear = () => {
    onText('')
    field.current?.focus()
  }
  return (
    <section aria-label={SEARCH} className="absolute inset-0 z-20 flex flex-col bg-bg">
      <div className="flex items-center gap-1 py-2.5 pr-4 pl-1.5">
        <IconButton icon={ArrowLeft} label="Fechar busca" onClick={onClose} />
        <SearchField text={text} onText={onText} onLeave={onClose} field={field} hasFocus />
      </div>
      {columns.some(({ leads, total }) => total > leads.length) && (
        <p className="px-5 pb-2 text-13 text-text-3">{STILL_READING}</p>
      )}
      <output className="px-5 pb-2 text-13 text-text-3 empty:hidden">
        {results && results.length > 0 && found(results.length)}
      </output>
      {!results && (
        <State
          kind="empty"
          icon={Search}
          title={SEARCH}
          hint="Encontre alguém pelo nome, pelo número ou pelo que está na nota, em qualquer estágio."
        />
      )}
      {results && (
        <Results key={shown} leads={results} columns={columns} text={shown} onClear={clear} {...actions} />
      )}
    </section>
  )
}

type ResultsProps = CardActions & {
  leads: readonly Lead[]
  columns: readonly Column[]
  text: string
  onClear: () => void
}

/** A new query starts at the top. */
function Results({ leads, columns, text, onClear, ...actions }: ResultsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const stageOf = useMemo(() => stageFinder(columns), [columns])
  const brokers = useMemo(() => brokersOf(columns), [columns])
  return (
    <div
      ref={scroller}
      className="[overflow-anchor:none] min-h-0 grow touch-pan-y overflow-y-auto overscroll-contain px-4 pt-0.5 pb-[max(16px,var(--safe-bottom))]"
    >
      {leads.length > 0 ? (
        <CardList
          leads={leads}
          density="roomy"
          label="Resultados da busca"
          scroller={scroller}
          stageOf={stageOf}
          {...actions}
        />
      ) : (
        <State kind="empty" icon={SearchX} title={noneWith(text)}>
          <Button variant="line" onClick={onClear}>
            {CLEAR_SEARCH}
          </Button>
        </State>
      )}
      <Suspense>
        <foundMessages.Component text={text} brokers={brokers} onOpen={actions.onOpen} className="pt-5" />
      </Suspense>
    </div>
  )
}
