// One conversation of an agent's list: who, what was said last and by whom, and whether the agent is paused there.
import { Link } from '@tanstack/react-router'
import type { AgentConversation } from './conversations-data.ts'
import { isPaused } from '#domain/agent.ts'
import { displayName } from '#domain/broker.ts'
import { formatRelative } from '#domain/format.ts'
import { leadTitle } from '#domain/lead.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Badge } from '#ui/primitives/badge.tsx'
import { useNow } from '#ui/now.ts'

const ownedBy = (broker: string) => `com ${broker}`

const AUTHOR = { agent: 'Agente: ', campaign: 'Campanha: ', human: 'Corretor: ' }

type RowProps = { agentId: number; conversation: AgentConversation; openId: number | undefined }

export function ConversationRow({ agentId, conversation, openId }: RowProps) {
  const nowMs = useNow()
  const { lead, lastAuthor, pause, canAnswer } = conversation
  const { lastMessage } = lead
  return (
    <Link
      to="/prompts"
      search={{ agente: agentId, ver: 'chat', conversa: lead.id }}
      // Back leaves what is open and does not walk through what was.
      replace={openId !== undefined}
      aria-current={lead.id === openId}
      className="flex min-h-16 items-center gap-3 rounded-md px-3 py-2.5 transition-colors hover:bg-surface-2 aria-[current=true]:bg-primary-soft"
    >
      <Avatar name={lead.name} pictureUrl={lead.pictureUrl} size={44} />
      <span className="min-w-0 grow">
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 grow truncate text-15 font-semibold">{leadTitle(lead)}</span>
          {lastMessage && (
            <span className="shrink-0 text-12 text-text-3 tabular-nums">
              {formatRelative(lastMessage.sentAtSeconds * 1000, nowMs)}
            </span>
          )}
        </span>
        <span className="flex items-center gap-2">
          <span className="min-w-0 grow truncate text-13 text-text-2">
            {lastAuthor && AUTHOR[lastAuthor]}
            {lastMessage?.body}
          </span>
          {isPaused(pause, nowMs) && <Badge tone="warning">Pausado</Badge>}
        </span>
        {canAnswer && (
          <span className="block truncate text-12 text-text-3">
            {ownedBy(displayName(lead.instanceName))}
          </span>
        )}
      </span>
    </Link>
  )
}
