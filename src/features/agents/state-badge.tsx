// Whether an agent answers, as a word and a colour.
import { Bot } from 'lucide-react'
import {
  AGENT_STATE_LABEL,
  type Agent,
  type AgentState,
  agentState,
  answersByItself,
  MODE_LABEL,
} from '#domain/agent/agent.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Icon } from '#ui/primitives/icon.tsx'

const TONE = {
  available: 'success',
  suggests: 'primary',
  spent: 'danger',
  off: 'neutral',
  paused: 'warning',
  'no-prompt': 'neutral',
  offline: 'danger',
  'no-engine': 'neutral',
} as const satisfies Record<AgentState, string>

export function StateBadge({ state }: { state: AgentState }) {
  return <Badge tone={TONE[state]}>{AGENT_STATE_LABEL[state]}</Badge>
}

/** On a screen about one agent: the agent's mode if it answers, otherwise its state. */
export function WorkBadge({ agent }: { agent: Agent }) {
  if (!answersByItself(agent)) return <StateBadge state={agentState(agent)} />
  return (
    <Badge tone="primary" className="gap-1.5">
      <Icon of={Bot} size={16} />
      {MODE_LABEL[agent.mode]}
    </Badge>
  )
}
