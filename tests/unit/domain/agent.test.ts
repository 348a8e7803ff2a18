// What an agent's card says of it: 'Disponível' stands only where something answers.
import { expect, it } from 'vitest'
import { type Agent, AGENT_STATE_LABEL, agentState } from '#domain/agent.ts'

const answering: Agent = {
  id: 1,
  name: 'Lago',
  development: 'Lago',
  instanceName: 'central',
  pausedAtMs: null,
  hasPrompt: true,
  isLinked: true,
  hasEngine: true,
}

it.each<[string, Partial<Agent>]>([
  ['Disponível', {}],
  ['Sem motor', { hasEngine: false }],
  ['Sem conexão', { isLinked: false, hasEngine: false }],
  ['Sem prompt', { hasPrompt: false, isLinked: false }],
  ['Pausado', { pausedAtMs: 1, hasPrompt: false, hasEngine: false }],
])('%s: %o', (label, what) => {
  expect(AGENT_STATE_LABEL[agentState({ ...answering, ...what })]).toBe(label)
})
