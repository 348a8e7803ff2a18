// Texts of offers, of the broker's share and of a pause.
import { describe, expect, it } from 'vitest'
import { isPausedAt, offerSpoken, pausedText, shareText, timeLeft } from '#features/offers/texts.ts'
import { table } from '#tests/support/table.ts'

const NOON = Date.parse('2026-11-21T12:00:00-03:00')

describe('the time that is left', () => {
  table('%i ms', timeLeft, [
    [300_000, '5:00'],
    [299_001, '5:00'],
    [1, '0:01'],
    [0, '0:00'],
    [-5_000, '0:00'],
  ])
})

describe('a pause', () => {
  it.each([
    [null, false, 'Você está recebendo leads na sua vez.'],
    [Infinity, true, 'Em pausa até você voltar.'],
    [NOON + 3_600_000, true, 'Em pausa até as 13h.'],
    [NOON + 20 * 3_600_000, true, 'Em pausa até amanhã às 8h.'],
  ])('%s', (untilMs, isPaused, text) => {
    expect(isPausedAt(untilMs, NOON)).toBe(isPaused)
    expect(pausedText(untilMs, NOON)).toBe(text)
  })

  it('ends by itself', () => expect(isPausedAt(NOON, NOON)).toBe(false))
})

describe('the own share', () => {
  const share = { roleta: 'Mirante', weight: 1, totalWeight: 4, total: 40, kinds: {}, leads: 0, why: [] }
  table('%#', shareText, [
    [{ ...share, total: 0 }, 'Nenhum lead passou por esta roleta.'],
    [
      { ...share, kinds: { given: 5, accepted: 2, claimed: 1, offered: 9 } },
      '8 de 40 leads (20%) · pelo seu peso, 25%',
    ],
    [{ ...share, totalWeight: null }, '0 de 40 leads (0%)'],
  ])
})

it("an offer's text uses what is known", () => {
  expect(offerSpoken('Marina', 'Mirante do Lago')).toBe('Novo lead para você: Marina: Mirante do Lago')
  expect(offerSpoken(null, null)).toBe('Novo lead para você: Sem nome')
})
