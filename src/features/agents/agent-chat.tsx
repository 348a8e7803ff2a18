// 'Chat - <agent>': the live conversations of its development, one of them open, and whether the agent answers there. Spec 2.13.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, MessagesSquare } from 'lucide-react'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { type AgentConversation, agentConversationsQuery } from '#data/agent-conversations.ts'
import { agentsQuery } from '#data/agents.ts'
import type { Lead } from '#domain/lead.ts'
import { leadTitle } from '#domain/lead.ts'
import { formatPhone } from '#domain/phone.ts'
import { Avatar } from '#ui/avatar.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Icon } from '#ui/icon.tsx'
import { AgentHead } from './agent-head.tsx'
import { ConversationList } from './conversation-list.tsx'
import { PauseControl } from './pause-control.tsx'
import { BACK_TO_CONVERSATIONS, chatTitle, CHOOSE, CHOOSE_HINT, NO_OWNER } from './texts.ts'

type AgentChatProps = {
  agentId: number
  /** Whose conversation is open. */
  openId: number | undefined
  /** The lines of a conversation, and the writing under them unless `lead` is undefined. */
  renderThread: (thread: { contactId: number; lead: Lead | undefined }) => ReactNode
}

export function AgentChat({ agentId, openId, renderThread }: AgentChatProps) {
  const { data: agents } = useQuery(agentsQuery())
  const agent = agents?.find(({ id }) => id === agentId)
  const [search, setSearch] = useState('')
  const query = useInfiniteQuery(agentConversationsQuery(agentId, useDeferredValue(search)))
  const conversations = query.data?.pages.flat()
  const found = conversations?.find(({ lead }) => lead.id === openId)
  // What is open stays, whatever is looked for beside it.
  const [kept, setKept] = useState<AgentConversation | undefined>()
  if (found && found !== kept) setKept(found)
  const open = found ?? (kept?.lead.id === openId ? kept : undefined)
  return (
    <div className="flex h-[calc(100dvh-8.75rem)] min-h-100 flex-col max-md:-mb-10 lg:h-[calc(100dvh-8.25rem)]">
      <div className={openId === undefined ? '' : 'max-md:hidden'}>
        <AgentHead title={chatTitle(agent?.name ?? '…')} />
      </div>
      <div className="grid min-h-0 grow overflow-hidden rounded-lg bg-surface shadow-card max-md:-mx-4 max-md:rounded-none md:grid-cols-[minmax(15rem,22rem)_1fr]">
        <div
          className={`flex min-h-0 flex-col md:border-r md:border-border ${openId === undefined ? '' : 'max-md:hidden'}`}
        >
          <ConversationList
            agentId={agentId}
            openId={openId}
            search={search}
            onSearch={setSearch}
            conversations={conversations}
            query={query}
          />
        </div>
        <div className={`flex min-h-0 min-w-0 flex-col ${openId === undefined ? 'max-md:hidden' : ''}`}>
          {openId !== undefined && open ? (
            <>
              <ThreadHead agentId={agentId} lead={open.lead} />
              <PauseControl
                agentId={agentId}
                isSilent={agent !== undefined && agent.pausedAtMs !== null}
                contactId={openId}
                pause={open.pause}
              />
              {renderThread({ contactId: openId, lead: open.canAnswer ? open.lead : undefined })}
              {!open.canAnswer && <p className="bg-surface px-4 py-3 text-14 text-text-2">{NO_OWNER}</p>}
            </>
          ) : (
            <EmptyState icon={MessagesSquare} title={CHOOSE} hint={CHOOSE_HINT} />
          )}
        </div>
      </div>
    </div>
  )
}

function ThreadHead({ agentId, lead }: { agentId: number; lead: Lead }) {
  return (
    <header className="flex items-center gap-3 border-b border-border px-4 py-2.5">
      <Link
        to="/prompts"
        search={{ agente: agentId, ver: 'chat' }}
        replace
        aria-label={BACK_TO_CONVERSATIONS}
        className="-ml-3 inline-flex size-11 shrink-0 items-center justify-center rounded-md text-text-2 hover:bg-surface-2 md:hidden"
      >
        <Icon of={ArrowLeft} />
      </Link>
      <Avatar name={lead.name} pictureUrl={lead.pictureUrl} size={36} />
      <div className="min-w-0">
        <h2 className="truncate text-16 leading-snug font-semibold">{leadTitle(lead)}</h2>
        {lead.name?.trim() && lead.number && (
          <p className="text-13 text-text-3 tabular-nums">{formatPhone(lead.number)}</p>
        )}
      </div>
    </header>
  )
}
