// 'Chat - <agent>': the live conversations of its development, one of them open, and who answers there.
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { useState } from 'react'
import { agentConversationsQuery, agentHoldersQuery, type Holder } from './conversations-data.ts'
import { agentsQuery } from '#data/agents.ts'
import { agentState } from '#domain/agent/agent.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { State } from '#ui/feedback/state.tsx'
import { useSettled } from '#ui/forms/use-settled.ts'
import { AgentHead } from '../agent-head.tsx'
import { AgentThread, type RenderThread } from './agent-thread.tsx'
import { ConversationList } from './conversation-list.tsx'
import { WorkBadge } from '../state-badge.tsx'

const chatTitle = (name: string) => `Chat - ${name}`

type AgentChatProps = {
  agentId: number
  /** The contact of the open conversation. */
  openId: number | undefined
  renderThread: RenderThread
  /** Transfers the lead of the open conversation to another broker. */
  onPass: (lead: Lead) => void
}

const SEARCH_REST_MS = 250

export function AgentChat({ agentId, openId, renderThread, onPass }: AgentChatProps) {
  const { data: agents } = useQuery(agentsQuery())
  const agent = agents?.find(({ id }) => id === agentId)
  const title = chatTitle(agent?.name ?? '…')
  const [search, setSearch] = useState('')
  const [holder, setHolder] = useState<Holder | null>(null)
  const query = useInfiniteQuery(agentConversationsQuery(agentId, useSettled(search, SEARCH_REST_MS), holder))
  const { data: holders } = useQuery({ ...agentHoldersQuery(agentId), placeholderData: keepPreviousData })
  const state = agent && agentState(agent)
  const conversations = query.data?.pages.flat()
  return (
    <div
      data-fills
      className="mx-auto flex min-h-100 w-full max-w-360 grow flex-col px-4 pt-5 short:min-h-125 md:pb-4 lg:px-8 lg:pt-7"
    >
      <div className={openId === undefined ? '' : 'max-md:hidden'}>
        <AgentHead title={title}>{agent && <WorkBadge agent={agent} />}</AgentHead>
      </div>
      {/* On a phone the conversation replaces the list. */}
      {openId !== undefined && <h1 className="sr-only md:hidden">{title}</h1>}
      <div
        className={`grid min-h-0 grow grid-cols-1 overflow-hidden rounded-lg bg-surface shadow-card max-md:-mx-4 max-md:rounded-none md:grid-cols-[minmax(15rem,22rem)_1fr] ${openId === undefined ? '' : 'min-[1200px]:grid-cols-[minmax(15rem,20rem)_1fr_20rem]'}`}
      >
        <div
          className={`flex min-h-0 flex-col md:border-r md:border-border ${openId === undefined ? '' : 'max-md:hidden'}`}
        >
          <ConversationList
            agentId={agentId}
            state={state}
            openId={openId}
            holder={holder}
            onHolder={setHolder}
            holders={holders}
            search={search}
            onSearch={setSearch}
            conversations={conversations}
            query={query}
          />
        </div>
        {openId === undefined ? (
          <div className="max-md:hidden">
            <State
              kind="empty"
              icon={MessagesSquare}
              title="Escolha uma conversa"
              hint="Ela aparece aqui, com o botão para pausar o agente."
            />
          </div>
        ) : (
          <AgentThread
            key={openId}
            agentId={agentId}
            contactId={openId}
            state={state}
            listed={conversations?.find(({ lead }) => lead.id === openId)}
            isListRead={!query.isPending}
            renderThread={renderThread}
            onPass={onPass}
          />
        )}
      </div>
    </div>
  )
}
