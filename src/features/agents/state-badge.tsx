// Whether an agent answers, in a word and a colour.
import { AGENT_STATE_LABEL, type AgentState } from '#domain/agent/agent.ts'
import { Badge } from '#ui/primitives/badge.tsx'

const TONE = {
  available: 'success',
  suggests: 'primary',
  off: 'neutral',
  paused: 'warning',
  'no-prompt': 'neutral',
  offline: 'danger',
  'no-engine': 'neutral',
} as const satisfies Record<AgentState, string>

export function StateBadge({ state }: { state: AgentState }) {
  return <Badge tone={TONE[state]}>{AGENT_STATE_LABEL[state]}</Badge>
}
