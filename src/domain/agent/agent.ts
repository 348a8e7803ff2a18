// An agent of a development: its texts, whether it answers, and towards whom it keeps silent.

/** The prompts that are written here, by the names that stand in the address. */
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

/** What each is for, under the title of its editor. */
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

/** How an agent works; the words are those of its settings. */
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
  /** Since when it answers nobody. */
  pausedAtMs: number | null
  /** Something says how it answers. */
  hasPrompt: boolean
  /** The link of its instance is open, as the gateway says now. */
  isLinked: boolean
  /** A program of another house reads the prompts, to answer by them. */
  hasEngine: boolean
  mode: AgentMode
  /** What writes here; null where no model is set up. */
  model: string | null
  /** What it may spend in this month is spent. */
  isSpent: boolean
}

export type AgentState =
  'available' | 'suggests' | 'spent' | 'paused' | 'no-prompt' | 'offline' | 'no-engine' | 'off'

/** What was decided goes before what is missing. */
export function agentState(agent: Agent): AgentState {
  if (agent.pausedAtMs !== null) return 'paused'
  if (!agent.hasPrompt) return 'no-prompt'
  const writes = agent.model !== null
  if (writes && agent.mode !== 'off' && !agent.hasEngine && agent.isSpent) return 'spent'
  // A draft needs no WhatsApp of the agent's own.
  if (writes && agent.mode === 'suggest' && !agent.hasEngine) return 'suggests'
  if (!agent.isLinked) return 'offline'
  if (agent.hasEngine || (writes && agent.mode !== 'off')) return 'available'
  return writes ? 'off' : 'no-engine'
}

/** Here, and not by a program of another house. */
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

/** Offered where an agent is to answer at any hour and has no month limit: R$ 200. */
export const OFFERED_LIMIT_MICROS = 200_000_000

export const PAUSE_REASONS = ['person', 'portal', 'phone', 'automatic'] as const
/** Silence towards one person: asked for, because a human answered from the portal or the phone, or because a machine seems to write. */
export type Pause = {
  reason: (typeof PAUSE_REASONS)[number]
  by: string
  sinceMs: number
  /** Null: until it is resumed. */
  untilMs: number | null
}

export function isPaused(pause: Pause | null, nowMs: number): pause is Pause {
  return pause !== null && (pause.untilMs === null || pause.untilMs > nowMs)
}
