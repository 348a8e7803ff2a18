// The brokers in the address, the side list, and the undo of a transfer.
import { describe, expect, it } from 'vitest'
import { NO_BROKER } from '#domain/broker.ts'
import { findListed, toListed } from '#features/crm/listed-brokers.ts'
import { readSelection, toggled, writeSelection } from '#domain/broker-selection.ts'
import { ownersBefore } from '#features/crm/use-transfer-notice.ts'
import { broker } from '#tests/support/make-app.ts'
import { table } from '#tests/support/table.ts'

describe('the selection in the address', () => {
  table('%j', readSelection, [
    [undefined, []],
    ['', []],
    ['camila', ['corretor_camila']],
    ['camila juliana', ['corretor_camila', 'corretor_juliana']],
    ['camila,juliana camila', ['corretor_camila', 'corretor_juliana']],
    ['sem-corretor camila', [NO_BROKER, 'corretor_camila']],
  ])

  it('parses to what was written', () => {
    for (const names of [['corretor_camila'], [NO_BROKER], ['corretor_b', NO_BROKER, 'corretor_a']])
      expect(readSelection(writeSelection(names))).toEqual(names)
    expect(writeSelection([])).toBeUndefined()
  })

  it('keeps the order of selection', () => {
    const both = toggled(toggled([], 'corretor_b'), 'corretor_a')
    expect(both).toEqual(['corretor_b', 'corretor_a'])
    expect(toggled(both, 'corretor_b')).toEqual(['corretor_a'])
  })
})

describe('the side list', () => {
  const brokers = [
    broker('ana'),
    broker('bia', { state: 'close' }),
    broker('caio', { number: null }),
    broker('novato', { number: null, state: 'close', isActive: false }),
  ]
  const totals = { corretor_ana: 5, corretor_bia: 9, corretor_caio: 1, corretor_novato: 0 }

  it('shows active brokers with the most leads first, and omits those who never began', () => {
    expect(
      toListed(brokers, totals, 0).map(({ name, total, isConnected, isActive }) => [
        name,
        total,
        isConnected,
        isActive,
      ]),
    ).toEqual([
      // Once connected: the dot stays, and the line says that the link is down.
      ['Bia', 9, false, true],
      ['Ana', 5, true, true],
      ['Caio', 1, true, true],
    ])
  })

  it('shows brokers before they are counted, and leads without a broker last', () => {
    expect(toListed(brokers, undefined, 2).map(({ name, total }) => [name, total])).toEqual([
      ['Ana', undefined],
      ['Bia', undefined],
      ['Sem corretor', 2],
    ])
  })

  it('is searched by any part of the name', () => {
    const listed = toListed([broker('joão'), broker('ana')], undefined, 0)
    expect(findListed(listed, ' JOA ').map(({ name }) => name)).toEqual(['João'])
    expect(findListed(listed, '  ')).toBe(listed)
    expect(findListed(listed, 'z')).toEqual([])
  })
})

describe('undoing a transfer', () => {
  it('returns each lead to its former broker', () => {
    const leads = [
      { id: 1, from: 'corretor_a' },
      { id: 2, from: 'corretor_b' },
      { id: 3, from: 'corretor_a' },
    ]
    expect(ownersBefore({ moved: 3, merged: 0, leads })).toEqual(
      new Map([
        ['corretor_a', [1, 3]],
        ['corretor_b', [2]],
      ]),
    )
  })

  it('is not offered if a lead was merged, had no broker, or none was transferred', () => {
    const leads = [{ id: 1, from: 'corretor_a' }]
    expect(ownersBefore({ moved: 1, merged: 1, leads })).toBeNull()
    expect(ownersBefore({ moved: 2, merged: 0, leads: [...leads, { id: 2, from: null }] })).toBeNull()
    expect(ownersBefore({ moved: 0, merged: 0, leads: [] })).toBeNull()
  })
})
