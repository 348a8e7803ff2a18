// The state on an agent's card: 'Disponível' only if it answers.
import { expect, it } from 'vitest'
import { type Agent, AGENT_STATE_LABEL, agentState, answersByItself } from '#domain/agent/agent.ts'

const answering: Agent = {
  id: 1,
  name: 'Lago',
  development: 'Lago',
  instanceName: 'central',
  pausedAtMs: null,
  hasPrompt: true,
  isLinked: true,
  hasEngine: true,
  mode: 'off',
  model: null,
  isSpent: false,
}

it.each<[string, Partial<Agent>]>([
  ['Disponível', {}],
  ['Sem motor', { hasEngine: false }],
  ['Sem motor', { hasEngine: false, mode: 'answer' }],
  ['Desligado', { hasEngine: false, model: 'm' }],
  ['Sugere', { hasEngine: false, model: 'm', mode: 'suggest', isLinked: false }],
  ['Disponível', { hasEngine: false, model: 'm', mode: 'after_hours' }],
  ['Disponível', { model: 'm', mode: 'suggest' }],
  // The agent does not answer until the month ends, or the limit changes.
  ['Limite do mês', { hasEngine: false, model: 'm', mode: 'answer', isSpent: true }],
  ['Limite do mês', { hasEngine: false, model: 'm', mode: 'suggest', isSpent: true, isLinked: false }],
  ['Desligado', { hasEngine: false, model: 'm', isSpent: true }],
  ['Sem conexão', { isLinked: false, hasEngine: false }],
  ['Sem prompt', { hasPrompt: false, isLinked: false }],
  ['Pausado', { pausedAtMs: 1, hasPrompt: false, hasEngine: false }],
])('%s: %o', (label, what) => {
  expect(AGENT_STATE_LABEL[agentState({ ...answering, ...what })]).toBe(label)
})

it.each<[boolean, Partial<Agent>]>([
  [true, { model: 'm', mode: 'answer' }],
  [true, { model: 'm', mode: 'after_hours', hasEngine: false }],
  [false, { model: 'm', mode: 'suggest' }],
  [false, { mode: 'answer' }],
  [false, { model: 'm', mode: 'answer', hasEngine: false, isSpent: true }],
  [false, { model: 'm', mode: 'answer', isLinked: false }],
  [false, { model: 'm', mode: 'answer', pausedAtMs: 1 }],
])('answers by itself, %s: %o', (answers, what) => {
  expect(answersByItself({ ...answering, ...what })).toBe(answers)
})
