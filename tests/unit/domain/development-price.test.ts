import { describe, expect, test } from 'vitest'
import { priceOf } from '#domain/development/development.ts'

const TODAY = '2026-11-21'
const plan = (
  reais: number | null,
  validUntil: string | null = '2026-11-30',
  unitsLeft: number | null = null,
) => ({
  priceFromCents: reais === null ? null : reais * 100,
  pricedOn: reais === null ? null : '2026-11-02',
  validUntil: reais === null ? null : validUntil,
  unitsLeft,
})
const NO_PRICE = plan(null)

describe('the price that is shown', () => {
  test.each([
    ['no price at all', NO_PRICE, [], null],
    ['its own price without plans', plan(400_000), [], { cents: 40_000_000, isExpired: false }],
    [
      'the lowest of the plans, not its own',
      plan(1),
      [plan(500_000), plan(412_000)],
      { cents: 41_200_000, isExpired: false },
    ],
    [
      'plans without a price leave its own',
      plan(400_000),
      [NO_PRICE],
      { cents: 40_000_000, isExpired: false },
    ],
    [
      'an expired plan gives way to a valid one',
      NO_PRICE,
      [plan(300_000, '2026-11-20'), plan(412_000)],
      { cents: 41_200_000, isExpired: false },
    ],
    ['the last day still counts', NO_PRICE, [plan(300_000, TODAY)], { cents: 30_000_000, isExpired: false }],
    [
      'only expired ones: the lowest, expired',
      NO_PRICE,
      [plan(520_000, '2026-11-15'), plan(600_000, '2026-11-15')],
      { cents: 52_000_000, isExpired: true },
    ],
    [
      'a plan without units left gives way',
      NO_PRICE,
      [plan(300_000, '2026-11-30', 0), plan(412_000)],
      { cents: 41_200_000, isExpired: false },
    ],
    ['all sold: no price', NO_PRICE, [plan(300_000, '2026-11-30', 0)], null],
  ])('%s', (_, own, plans, expected) => {
    const price = priceOf({ ...own, plans }, TODAY)
    expect(price && { cents: price.cents, isExpired: price.isExpired }).toEqual(expected)
  })
})
