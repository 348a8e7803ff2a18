// 'Conversas Ativas' of an agent's development, with a search by number or name.
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { MessageSquareOff, SearchX } from 'lucide-react'
import type { AgentConversation, Holder } from './conversations-data.ts'
import type { AgentState } from '#domain/agent/agent.ts'
import { formatDateTime } from '#domain/format.ts'
import { Button } from '#ui/primitives/button.tsx'
import { FilterChips } from '#ui/primitives/chips.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { State } from '#ui/feedback/state.tsx'
import { SearchBox } from '#ui/forms/search-box.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { LOADING } from '#ui/texts.ts'
import { ConversationRow } from './conversation-row.tsx'

const SKELETONS = 6

type ListProps = {
  agentId: number
  state: AgentState | undefined
  openId: number | undefined
  /** Shows only conversations with this holder; null shows all. */
  holder: Holder | null
  onHolder: (holder: Holder | null) => void
  holders: Readonly<Record<Holder, number>> | undefined
  search: string
  onSearch: (text: string) => void
  conversations: readonly AgentConversation[] | undefined
  query: Pick<
    UseInfiniteQueryResult,
    | 'error'
    | 'errorUpdateCount'
    | 'dataUpdatedAt'
    | 'isPlaceholderData'
    | 'hasNextPage'
    | 'isFetchingNextPage'
    | 'fetchNextPage'
    | 'refetch'
  >
}

export function ConversationList({ holder, onHolder, holders, search, onSearch, ...rows }: ListProps) {
  return (
    <section aria-labelledby="agent-conversations" className="flex min-h-0 grow flex-col">
      <h2 id="agent-conversations" className="px-4 pt-3.5 pb-2 text-16 font-semibold">
        Conversas Ativas
      </h2>
      <div className="mx-4 mb-2 flex">
        <SearchBox label="Buscar por número ou nome..." text={search} onText={onSearch} />
      </div>
      <div className="mx-4 mb-2">
        <FilterChips
          label="Com quem está"
          choices={[
            { value: 'all', label: 'Todas' },
            { value: 'agent', label: 'Com o agente', count: holders?.agent },
            { value: 'waiting', label: 'À espera', count: holders?.waiting },
          ]}
          chosen={holder ?? 'all'}
          onChoose={(chosen) => onHolder(chosen === 'all' ? null : chosen)}
        />
      </div>
      <div className="min-h-0 grow overflow-y-auto overscroll-contain px-1.5 pb-3">
        <Rows {...rows} isNarrowed={search.trim() !== '' || holder !== null} />
      </div>
    </section>
  )
}

type RowsProps = Pick<ListProps, 'agentId' | 'state' | 'openId' | 'conversations' | 'query'> & {
  isNarrowed: boolean
}

function Rows({ agentId, state, openId, isNarrowed, conversations, query }: RowsProps) {
  const { isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  if (!conversations)
    return query.error ? (
      <FailedRead of={query} title="Não foi possível carregar as conversas." />
    ) : (
      <div className="flex flex-col gap-2 px-3 pt-1">
        {Array.from({ length: SKELETONS }, (_, index) => (
          <Skeleton key={index} className="h-14 rounded-md!" />
        ))}
      </div>
    )
  if (conversations.length === 0)
    return isNarrowed ? (
      <State
        kind="empty"
        icon={SearchX}
        title="Nenhuma conversa encontrada"
        hint="Tente buscar por outro número ou nome"
      />
    ) : (
      <State
        kind="empty"
        icon={MessageSquareOff}
        title="Nenhuma conversa ativa"
        hint="Aguarde leads iniciarem conversas"
      />
    )
  return (
    <>
      <FailedRead of={query} shownFrom={formatDateTime(query.dataUpdatedAt)} />
      <ul aria-busy={isPlaceholderData} className="flex flex-col gap-0.5 aria-busy:opacity-60">
        {conversations.map((conversation) => (
          <li key={conversation.lead.id}>
            <ConversationRow agentId={agentId} state={state} conversation={conversation} openId={openId} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <div className="flex justify-center pt-2">
          <Button variant="ghost" busy={isFetchingNextPage && LOADING} onClick={() => void fetchNextPage()}>
            Carregar mais conversas
          </Button>
        </div>
      )}
    </>
  )
}
