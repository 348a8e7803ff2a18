// One conversation in an agent's list: the contact, the last message with its author, and the holder.
import { Link } from '@tanstack/react-router'
import { Bot, Hourglass, type LucideIcon, UserRound } from 'lucide-react'
import type { AgentConversation } from './conversations-data.ts'
import { type AgentState, isPaused } from '#domain/agent/agent.ts'
import { calledWords } from '#domain/agent/turn.ts'
import { displayName } from '#domain/broker.ts'
import { formatMoment, formatRelative } from '#domain/format.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { useNow } from '#ui/now.ts'

const AUTHOR = { agent: 'Agente: ', campaign: 'Campanha: ', human: 'Corretor: ' }

type RowProps = {
  agentId: number
  state: AgentState | undefined
  conversation: AgentConversation
  openId: number | undefined
}

export function ConversationRow({ agentId, state, conversation, openId }: RowProps) {
  const nowMs = useNow()
  const { lead, lastAuthor } = conversation
  const { lastMessage } = lead
  const held = holding(conversation, state, nowMs)
  return (
    <Link
      to="/prompts"
      search={{ agente: agentId, ver: 'chat', conversa: lead.id }}
      // Replaces the open conversation's history entry, so that Back leaves the chat at once.
      replace={openId !== undefined}
      className="flex min-h-16 items-center gap-3 rounded-md px-3 py-2.5 transition-colors hover:bg-surface-2 aria-[current=page]:bg-surface-2"
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
        <span className="block truncate text-13 text-text-2">
          {lastAuthor && AUTHOR[lastAuthor]}
          {lastMessage?.body}
        </span>
        {held && (
          <span className={`flex items-center gap-1.5 text-12 ${held.ink}`}>
            <Icon of={held.icon} size={14} />
            <span className="min-w-0 truncate">{held.words}</span>
          </span>
        )}
      </span>
    </Link>
  )
}

/** Same hour as in portal.is_after_hours, where the agent's hours begin at 20h. */
const RESTING = 'Com o agente a partir das 20h'

type Held = { icon: LucideIcon; ink: string; words: string }

function holding(
  { lead, pause, calledAtMs, calledFor, answersHere, answersLater, hasBroker }: AgentConversation,
  state: AgentState | undefined,
  nowMs: number,
): Held | null {
  const person = { icon: UserRound, ink: 'text-text-3' }
  if (isPaused(pause, nowMs)) {
    const until = pause.untilMs === null ? '' : ` até ${formatMoment(pause.untilMs, nowMs)}`
    return { ...person, words: `Com ${displayName(pause.by)}${until}` }
  }
  if (calledAtMs !== null)
    return {
      icon: Hourglass,
      ink: 'text-warning',
      words: calledWords(calledFor, formatRelative(calledAtMs, nowMs)),
    }
  if (state === 'available' && answersHere) return { icon: Bot, ink: 'text-primary', words: 'Com o agente' }
  if (state === 'available' && answersLater && !hasBroker)
    return { icon: Bot, ink: 'text-text-3', words: RESTING }
  if (hasBroker) return { ...person, words: `Com ${displayName(lead.instanceName)}` }
  return answersHere ? null : { icon: Hourglass, ink: 'text-warning', words: 'Sem corretor' }
}
