// The footer's text for pending edits, and the texts of a seat's rules.
import { describe, expect, it } from 'vitest'
import { newSeat } from '#domain/rotation/editing.ts'
import { changesText, minutesText, seatFacts, shiftText } from '#features/rotations/texts.ts'
import { table } from '#tests/support/table.ts'

const NOTHING = { hasName: false, hasOrder: false, hasSettings: false, seatCount: 0 }

describe('changesText', () => {
  table('%#', changesText, [
    [null, 'Nenhuma alteração'],
    [{ ...NOTHING, hasName: true }, 'Nome alterado'],
    [{ ...NOTHING, hasOrder: true }, 'Ordem alterada'],
    [{ ...NOTHING, hasSettings: true }, 'Distribuição alterada'],
    [{ ...NOTHING, seatCount: 1 }, '1 corretor alterado'],
    [{ ...NOTHING, seatCount: 2 }, '2 corretores alterados'],
    [{ ...NOTHING, hasOrder: true, seatCount: 1 }, 'Ordem e 1 corretor alterados'],
    [
      { hasName: true, hasOrder: true, hasSettings: true, seatCount: 2 },
      'Nome, ordem, distribuição e 2 corretores alterados',
    ],
  ])
})

describe("texts of a seat's rules", () => {
  it('lists only rules that differ from the default', () => {
    expect(seatFacts(newSeat('a'))).toEqual([])
    const shifts = [{ days: [1, 2, 3, 4, 5], from: 540, to: 1_080 }]
    expect(seatFacts({ ...newSeat('a'), weight: 2, dailyCap: 5, shifts })).toEqual([
      'peso 2',
      'até 5 por dia',
      'seg a sex 9h–18h',
    ])
  })

  table('%#', shiftText, [
    [{ days: [6, 7], from: 510, to: 1_440 }, 'sáb, dom 8:30–0h'],
    [{ days: [7], from: 1_320, to: 360 }, 'dom 22h–6h'],
    [{ days: [3, 1, 5], from: 0, to: 1 }, 'seg, qua, sex 0h–0:01'],
  ])

  table('%i minutes', minutesText, [
    [1, '1 minuto'],
    [90, '90 minutos'],
    [120, '2 horas'],
    [1_440, '1 dia'],
  ])
})
