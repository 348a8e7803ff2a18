// An agent of a development: its texts, its mode, and its pauses.

/** The prompts that people edit; their names appear in page addresses. */
export const PROMPT_FIELDS = [
  'introducao_atendimento',
  'regras_atendimento',
  'atendimento_atendimento',
  'introducao_agendamento',
  'regras_agendamento',
  'atendimento_agendamento',
] as const
export type PromptField = (typeof PROMPT_FIELDS)[number]

export const PROMPT_LABEL = {
  introducao_atendimento: 'Introdução - Atendimento',
  regras_atendimento: 'Regras - Atendimento',
  atendimento_atendimento: 'Fluxo - Atendimento',
  introducao_agendamento: 'Introdução - Agendamento',
  regras_agendamento: 'Regras - Agendamento',
  atendimento_agendamento: 'Fluxo - Agendamento',
} satisfies Record<PromptField, string>

/** The purpose of each prompt, shown under the editor's title. */
export const PROMPT_PURPOSE = {
  introducao_atendimento: 'Como o agente se apresenta e começa o atendimento',
  regras_atendimento: 'O que o agente pode e não pode dizer durante o atendimento',
  atendimento_atendimento: 'O passo a passo do atendimento',
  introducao_agendamento: 'Como o agente passa da conversa para o agendamento',
  regras_agendamento: 'O que o agente pode e não pode marcar',
  atendimento_agendamento: 'O passo a passo do agendamento',
} satisfies Record<PromptField, string>

export function toPromptField(name: string): PromptField | null {
  return PROMPT_FIELDS.find((field) => field === name) ?? null
}

/** Modes of an agent, as stored in its settings. */
export const AGENT_MODES = ['off', 'suggest', 'after_hours', 'new_people', 'answer'] as const
export type AgentMode = (typeof AGENT_MODES)[number]

export const MODE_LABEL = {
  off: 'Desligado',
  suggest: 'Sugere',
  after_hours: 'Fora do horário',
  new_people: 'Só pessoas novas',
  answer: 'Responde',
} satisfies Record<AgentMode, string>

export type Agent = {
  id: number
  name: string
  development: string | null
  /** The development's central WhatsApp instance; null while it has none. */
  instanceName: string | null
  /** When somebody paused the agent for everybody; null if it is not paused. */
  pausedAtMs: number | null
  /** The agent has a prompt. */
  hasPrompt: boolean
  /** The gateway reports an open link for its instance. */
  isLinked: boolean
  /** An external engine reads the prompts and answers. */
  hasEngine: boolean
  mode: AgentMode
  /** The portal's text model; null if no administrator has chosen one. */
  model: string | null
  /** True if the agent's spending has reached its monthly limit. */
  isSpent: boolean
}

export type AgentState =
  'available' | 'suggests' | 'spent' | 'paused' | 'no-prompt' | 'offline' | 'no-engine' | 'off'

/** Returns an agent's state. What people decided, such as a pause, is told before what is missing. */
export function agentState(agent: Agent): AgentState {
  if (agent.pausedAtMs !== null) return 'paused'
  if (!agent.hasPrompt) return 'no-prompt'
  const writes = agent.model !== null
  if (writes && agent.mode !== 'off' && !agent.hasEngine && agent.isSpent) return 'spent'
  // Drafts for a broker go out on the broker's number, so the agent needs no WhatsApp link.
  if (writes && agent.mode === 'suggest' && !agent.hasEngine) return 'suggests'
  if (!agent.isLinked) return 'offline'
  if (agent.hasEngine || (writes && agent.mode !== 'off')) return 'available'
  return writes ? 'off' : 'no-engine'
}

/** True if the portal itself answers, instead of an external engine. */
export function answersByItself(agent: Agent): boolean {
  const mayAnswer = agent.mode !== 'off' && agent.mode !== 'suggest'
  return mayAnswer && agent.model !== null && agentState(agent) === 'available'
}

export const AGENT_STATE_LABEL = {
  available: 'Disponível',
  suggests: 'Sugere',
  spent: 'Limite do mês',
  off: 'Desligado',
  paused: 'Pausado',
  'no-prompt': 'Sem prompt',
  offline: 'Sem conexão',
  'no-engine': 'Sem motor',
} satisfies Record<AgentState, string>

/** Suggested monthly limit for an agent that answers at any hour: R$ 200. */
export const OFFERED_LIMIT_MICROS = 200_000_000

export const PAUSE_REASONS = ['person', 'portal', 'phone', 'automatic'] as const
/**
 * A pause of the agent for one person. Somebody asked for it, a broker answered in the portal or on the phone, or a
 * machine seems to write.
 */
export type Pause = {
  reason: (typeof PAUSE_REASONS)[number]
  by: string
  sinceMs: number
  /** Null if the pause lasts until somebody resumes the agent. */
  untilMs: number | null
}

export function isPaused(pause: Pause | null, nowMs: number): pause is Pause {
  return pause !== null && (pause.untilMs === null || pause.untilMs > nowMs)
}
