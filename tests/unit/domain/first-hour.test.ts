// Each step of the first hour: when it is done, and what it says is missing.
import { expect, test } from 'vitest'
import { answeredWords, type FirstHour, isOver, type StepName, stepsOf } from '#domain/first-hour.ts'

const EMPTY: FirstHour = {
  brokers: 0,
  broker: null,
  sources: 0,
  lead: null,
  test: null,
  address: null,
  backup: { lastAtMs: 1, isFailing: false },
  gateway: { source: 'none', url: null, kind: null, health: 'none' },
  isUnheard: false,
  webhook: { url: 'http://127.0.0.1:8080', isElsewhere: false },
}
const camila = (part: object) => ({
  brokers: 1,
  broker: { instanceName: 'corretor_camila', hasPassword: false, isLinked: false, isTold: false, ...part },
})
const stored = (health: string) => ({
  gateway: { source: 'kept' as const, url: 'https://evo.example', kind: null, health },
})

test.each<[string, StepName, Partial<FirstHour>, boolean, RegExp | null]>([
  ['no address', 'portal', {}, false, /PUBLIC_URL com https os celulares não instalam/],
  ['plain http', 'portal', { address: 'http://portal.example' }, false, /endereço seguro/],
  ['https', 'portal', { address: 'https://portal.example' }, true, null],
  [
    'no backup yet',
    'portal',
    { address: 'https://a.b', backup: { lastAtMs: null, isFailing: false } },
    true,
    /ainda não saiu/,
  ],
  [
    'a failed backup',
    'portal',
    { address: 'https://a.b', backup: { lastAtMs: 1, isFailing: true } },
    true,
    /falhou/,
  ],
  ['a server’s own backup', 'portal', { address: 'https://a.b', backup: null }, true, /Postgres/],
  ['no service', 'gateway', {}, false, null],
  ['a service that was said', 'gateway', stored('ok'), true, null],
  ['not asked yet', 'gateway', stored('unknown'), true, null],
  ['a service away', 'gateway', stored('unreachable'), false, /não responde/],
  ['a key refused', 'gateway', stored('unauthorized'), false, /recusa a chave/],
  [
    'a service that reports nothing',
    'gateway',
    { ...stored('ok'), isUnheard: true },
    false,
    /não alcança o portal em http:\/\/127\.0\.0\.1:8080.*WEBHOOK_BASE_URL/,
  ],
  [
    'a service away, before that',
    'gateway',
    { ...stored('unreachable'), isUnheard: true },
    false,
    /não responde/,
  ],
  [
    'a service elsewhere',
    'gateway',
    { ...stored('ok'), webhook: { url: 'http://127.0.0.1:8080', isElsewhere: true } },
    true,
    /só vale na mesma máquina/,
  ],
  ['nobody', 'broker', {}, false, null],
  ['invited', 'broker', camila({}), false, /Camila ainda não abriu o convite/],
  ['entered', 'broker', camila({ hasPassword: true }), false, /falta conectar o WhatsApp/],
  [
    'linked',
    'broker',
    camila({ hasPassword: true, isLinked: true }),
    true,
    /ligar os avisos no celular de Camila/,
  ],
  ['told', 'broker', camila({ hasPassword: true, isLinked: true, isTold: true }), true, null],
  ['no source', 'source', {}, false, null],
  ['a source', 'source', { sources: 1 }, true, null],
  ['nobody came', 'answer', {}, false, null],
  [
    'one waits',
    'answer',
    { lead: { name: 'Marta', seconds: null, isOwned: true } },
    false,
    /Marta chegou e espera/,
  ],
  [
    'one is nobody’s',
    'answer',
    { lead: { name: 'Marta', seconds: null, isOwned: false } },
    false,
    /sem corretor/,
  ],
  ['answered', 'answer', { lead: { name: 'Marta', seconds: 95, isOwned: true } }, true, null],
])('%s: %s', (_, name, part, isDone, fault) => {
  const step = stepsOf({ ...EMPTY, ...part }, false).find((one) => one.name === name)
  expect(step?.isDone).toBe(isDone)
  if (fault) expect(step?.fault).toMatch(fault)
  else expect(step?.fault).toBeNull()
})

test('on the portal’s own machine the first step is done without an address, and mentions what phones need', () => {
  expect(stepsOf(EMPTY, true)[0]).toMatchObject({
    isDone: true,
    fault: expect.stringContaining('PUBLIC_URL'),
  })
})

test.each([
  [45, '45 s'],
  [60, '1 min'],
  [130, '2 min 10 s'],
  [3_725, '1 h 2 min'],
])('an answer after %i s took %s', (seconds, words) => {
  expect(answeredWords(seconds)).toBe(`Respondido em ${words}.`)
})

test('the answered lead is shown with its time; then nothing is left', () => {
  const lead = { name: 'Marta', seconds: 95, isOwned: true }
  expect(stepsOf({ ...EMPTY, lead }, true)[4]?.told).toBe('Marta teve resposta em 1 min 35 s.')
  expect(isOver({ ...EMPTY, lead })).toBe(false)
  expect(isOver({ ...EMPTY, ...camila({}), lead })).toBe(true)
  expect(isOver({ ...EMPTY, ...camila({}), lead: { ...lead, seconds: null } })).toBe(false)
})
