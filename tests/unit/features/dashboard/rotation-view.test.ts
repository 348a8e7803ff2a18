// The Roleta section's counts and rows, and an export with exactly the shown rows.
import { expect, it } from 'vitest'
import type { DistributedLead } from '#domain/dashboard/dashboard.ts'
import { rotationCsv, rotationView } from '#features/dashboard/rotation-view.ts'
import { mostText } from '#features/dashboard/texts.ts'

let id = 0
const lead = (development: string, username: string, name: string | null = 'Ana'): DistributedLead => ({
  id: ++id,
  name,
  number: '5511955500142',
  createdAtMs: Date.parse('2026-11-20T12:41:00Z'),
  development,
  instanceName: `corretor_${username}`,
})
const LEADS = [
  lead('Mirante', 'camila'),
  lead('Mirante', 'rafael'),
  lead('Mirante', 'rafael'),
  lead('Acácias', 'rafael'),
]
const ALL = { developments: [], brokers: [] }
const counts = (choices: readonly { label: string; count: number }[]) =>
  choices.map(({ label, count }) => [label, count])

it('shows everything without a choice', () => {
  const view = rotationView(LEADS, ALL)
  expect(view.rows).toHaveLength(4)
  expect(counts(view.developments)).toEqual([
    ['Acácias', 1],
    ['Mirante', 3],
  ])
  expect(counts(view.brokers)).toEqual([
    ['Camila', 1],
    ['Rafael', 3],
  ])
  expect(view.brokerCount).toBe(2)
  expect(view.most).toEqual({ names: ['Rafael'], count: 3 })
})

it('counts each chip within the other choice', () => {
  const view = rotationView(LEADS, { developments: ['Mirante'], brokers: ['corretor_camila'] })
  expect(view.rows).toHaveLength(1)
  expect(counts(view.developments)).toEqual([
    ['Acácias', 0],
    ['Mirante', 1],
  ])
  expect(counts(view.brokers)).toEqual([
    ['Camila', 1],
    ['Rafael', 2],
  ])
})

it('names nobody in a tie', () => {
  const { most } = rotationView([lead('Mirante', 'camila'), ...LEADS.slice(1, 2)], ALL)
  expect(most).toEqual({ names: ['Camila', 'Rafael'], count: 1 })
  expect(most && mostText(most)).toBe('2 corretores · 1 cada')
})

it('keeps a selected chip without rows in the period', () => {
  const view = rotationView([], { developments: ['Mirante'], brokers: [] })
  expect(counts(view.developments)).toEqual([['Mirante', 0]])
  expect(view.most).toBeNull()
})

it('exports the shown rows', () => {
  const view = rotationView([lead('Mirante; Lago', 'camila', '=1+1'), ...LEADS], {
    developments: ['Mirante; Lago'],
    brokers: [],
  })
  expect(rotationCsv(view.rows)).toBe(
    '\uFEFFNOME;CORRETOR;EMPREENDIMENTO;DATA;NÚMERO\r\n' +
      `'=1+1;Camila;"Mirante; Lago";20/11/2026 09:41;(11) 95550-0142\r\n`,
  )
})
