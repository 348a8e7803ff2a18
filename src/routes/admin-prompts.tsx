// '/prompts': the agents, one agent's settings, or its conversations, as the address says.
import { useSearch } from '@tanstack/react-router'
import { AgentChat } from '#features/agents/chat/agent-chat.tsx'
import { AgentList } from '#features/agents/agent-list.tsx'
import { AgentSettings } from '#features/agents/agent-settings.tsx'
import { MessagePane } from '#features/conversation/list/message-pane.tsx'
import { usePassing } from '#features/crm/passing.tsx'
import { idOf } from './parts/read-search.ts'

export function AdminPromptsPage() {
  const search = useSearch({ from: '/admin/prompts' })
  const [agente, conversa] = [idOf(search.agente), idOf(search.conversa)]
  const { pass, sheet } = usePassing()
  if (agente === undefined) return <AgentList />
  if (search.ver !== 'chat') return <AgentSettings key={agente} agentId={agente} />
  return (
    <>
      <AgentChat
        key={agente}
        agentId={agente}
        openId={conversa}
        onPass={pass}
        renderThread={({ contactId, lead, ...lines }) => (
          <MessagePane
            key={contactId}
            contactId={contactId}
            lead={lead}
            reader={{ ...AGENT_READER, ...lines }}
          />
        )}
      />
      {sheet}
    </>
  )
}

/**
 * Labels of outgoing messages. `assistant` is for the agent's, `author` for all others. Reading here marks no message
 * as read.
 */
const AGENT_READER = { author: 'Atendimento', assistant: 'Agente', mayWrite: true }
