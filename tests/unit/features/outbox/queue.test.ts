// The strip's texts, the entries' titles, and joined notes.
import { expect, it } from 'vitest'
import { type BarFacts, barState } from '#features/outbox/bar-state.ts'
import { capitalised, joined } from '#features/outbox/entry-words.ts'
import { offlineSince, offlineWith, toDecide } from '#features/outbox/texts.ts'

const calm: BarFacts = { isAway: false, isReturning: false, queued: 0, undecided: 0, isHeldBy: null }

it.each<[string, Partial<BarFacts>, object]>([
  ['nothing', {}, { kind: 'none' }],
  ['a write on its way is nobody’s concern', { queued: 1 }, { kind: 'none' }],
  ['away', { isAway: true }, { kind: 'offline', queued: 0 }],
  ['away with changes', { isAway: true, queued: 2, undecided: 1 }, { kind: 'offline', queued: 3 }],
  ['back, sending', { isReturning: true, queued: 2 }, { kind: 'returning', queued: 2 }],
  ['back, all sent', { isReturning: true }, { kind: 'sent' }],
  ['back, but the signal is weak', { isReturning: true, queued: 2, isHeldBy: 'network' }, { kind: 'weak' }],
  ['something must be decided', { undecided: 1, queued: 1 }, { kind: 'undecided', count: 1 }],
  ['decisions come before "all sent"', { isReturning: true, undecided: 1 }, { kind: 'undecided', count: 1 }],
  ['the server keeps it back', { queued: 1, isHeldBy: 'server' }, { kind: 'held', queued: 1 }],
])('%s', (_, facts, state) => expect(barState({ ...calm, ...facts })).toEqual(state))

it.each([
  ['minha', 'dela', 'dela\n\nminha'],
  ['dela e minha', 'dela', 'dela e minha'],
  ['dela', 'dela e mais', 'dela e mais'],
  ['minha', '', 'minha'],
  ['', 'dela', 'dela'],
])('%j and %j joined', (mine, theirs, both) => expect(joined(mine, theirs)).toBe(both))

it('counts in Portuguese', () => {
  expect(offlineWith(1)).toBe('Sem conexão · 1 alteração na fila')
  expect(offlineWith(3)).toBe('Sem conexão · 3 alterações na fila')
  expect(toDecide(1)).toBe('1 alteração espera sua decisão')
  expect(toDecide(2)).toBe('2 alterações esperam sua decisão')
  expect(capitalised('ângela')).toBe('Ângela')
})

it('includes the day of the shown data if it is not today', () => {
  const morning = Date.parse('2026-11-21T12:41:00Z')
  expect(offlineSince(morning, morning + 3_600_000)).toBe('Sem conexão · mostrando dados de 09:41')
  expect(offlineSince(morning, morning + 86_400_000)).toBe(
    'Sem conexão · mostrando dados de 21/11/2026 09:41',
  )
})
