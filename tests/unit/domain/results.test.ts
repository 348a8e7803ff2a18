// How results read: small numbers, comparisons of equal and unequal periods, order, and the file.
import { expect, test } from 'vitest'
import {
  compareCents,
  compareCounts,
  compareMedians,
  comparePercents,
} from '#domain/dashboard/results/compare.ts'
import {
  type Figures,
  heldShare,
  inTimeShare,
  medianText,
  medianTitle,
  NOTHING,
  shareText,
  shareTitle,
  wonText,
} from '#domain/dashboard/results/figures.ts'
import { orderLines } from '#domain/dashboard/results/lines.ts'
import { spanTitle, toTable } from '#domain/dashboard/results/table.ts'

const figures = (some: Partial<Figures>): Figures => ({ ...NOTHING, ...some })
const EQUAL = { days: 23, daysBefore: 23 }

test('under five leads a share is its counts, without a percent', () => {
  const few = inTimeShare(figures({ inTime: 1, decided: 2, within: 50, withinRange: [9, 91] }))
  expect(shareText(few)).toBe('1 de 2')
  expect(shareTitle(few, 'lead')).toBe('1 de 2 leads. Poucos leads para comparar')
  expect(shareText(heldShare(NOTHING))).toBe('–')
})

test('from five to thirty a share says its interval', () => {
  const some = heldShare(figures({ held: 8, missed: 3, heldRate: 72.7, heldRange: [43, 90] }))
  expect(shareText(some)).toBe('73%')
  expect(shareTitle(some, 'visita')).toBe('8 de 11 visitas: entre 43% e 90%')
})

test('a median that half did not reach says that they wait', () => {
  const waiting = figures({ received: 10, answered: 4, median: null })
  expect(medianText(waiting)).toBe('metade espera')
  expect(medianTitle(waiting)).toBe('Mais da metade ainda espera: 6 de 10 sem resposta')
  expect(medianText(figures({ received: 4, median: 60 }))).toBe('–')
})

test('volumes are neutral, and by day where the periods are unequal', () => {
  expect(compareCounts(412, 374, EQUAL)).toEqual({ text: '+ 38', tone: 'even' })
  expect(compareCounts(9, 9, EQUAL)).toEqual({ text: 'igual', tone: 'even' })
  expect(compareCounts(60, 50.4, { days: 30, daysBefore: 28 })).toEqual({
    text: '+ 0,2 por dia',
    tone: 'even',
  })
})

test('a difference is better or worse from twenty on both sides', () => {
  const share = (percent: number, of: number) => ({ hits: 0, of, percent, range: null })
  expect(comparePercents(share(62.4, 40), share(55.1, 20))).toEqual({ text: '+ 7 p.', tone: 'better' })
  expect(comparePercents(share(38, 40), share(43, 30))).toEqual({ text: '− 5 p.', tone: 'worse' })
  expect(comparePercents(share(62, 40), share(55, 19))).toEqual({ text: '+ 7 p.', tone: 'even' })
  expect(comparePercents(share(62, 40), share(55, 4))).toBeNull()
  expect(comparePercents(share(5.4, 40), share(4.4, 40), 1)).toEqual({ text: '+ 1,0 p.', tone: 'better' })
})

test('a shorter wait is better', () => {
  const of = (median: number, received = 30) => figures({ received, median })
  expect(compareMedians(of(240), of(360))).toEqual({ text: '− 2 min', tone: 'better' })
  expect(compareMedians(of(540), of(420))).toEqual({ text: '+ 2 min', tone: 'worse' })
  expect(compareMedians(of(200), of(190))).toEqual({ text: 'igual', tone: 'even' })
  expect(compareMedians(of(540, 12), of(420))).toEqual({ text: '+ 2 min', tone: 'even' })
})

test('brokers with few leads are not ranked: they come last, by name', () => {
  const line = (broker: string, now: Partial<Figures>) => ({
    broker,
    team: null,
    now: figures(now),
    before: null,
  })
  const brokers = [
    line('corretor_zeca', { cohort: 2, converted: 2, conversion: 100, rank: null }),
    line('corretor_ana', { cohort: 3, rank: null }),
    line('corretor_bia', { cohort: 40, rank: 0.04 }),
    line('corretor_caio', { cohort: 40, rank: 0.06 }),
  ]
  const total = { broker: null, team: null, now: NOTHING, before: null }
  expect(orderLines({ total, teams: [], brokers }, 'conversion').map(({ broker }) => broker)).toEqual([
    null,
    'corretor_caio',
    'corretor_bia',
    'corretor_ana',
    'corretor_zeca',
  ])
})

test.each([
  ['2026-11-01', '2026-11-23', '1 a 23 de novembro'],
  ['2026-11-05', '2026-11-05', '5 de novembro'],
  ['2026-10-20', '2026-11-03', '20 de outubro a 3 de novembro'],
  ['2025-12-20', '2026-01-03', '20 de dezembro de 2025 a 3 de janeiro de 2026'],
  ['2025-10-01', '2025-10-31', '1 a 31 de outubro de 2025'],
])('%s to %s is %s', (from, to, title) => {
  expect(spanTitle({ from, to }, '2026-11-23')).toBe(title)
})

test('sales of which no value is known have no value, not zero', () => {
  const untold = figures({ won: 2, cents: 0 })
  expect(wonText(untold)).toBe('sem valor')
  expect(wonText(figures({ won: 2, cents: 5_000_000 }))).toBe('R$ 50 mil')
  expect(wonText(NOTHING)).toBe('R$ 0')
  const line = { broker: 'corretor_ana', team: null, now: untold, before: NOTHING }
  const { header, rows } = toTable([line], 300, { now: 'novembro', before: 'outubro' })
  const valueOf = (month: string) => rows[0]![header.indexOf(`Valor (R$) · ${month}`)]
  expect([valueOf('novembro'), valueOf('outubro')]).toEqual([null, 0])
  expect(compareCents(figures({ won: 30, cents: 5_000 }), figures({ won: 30 }), EQUAL)).toEqual({
    text: 'antes sem valor',
    tone: 'even',
  })
})

test('values of unequal periods are compared by day, in the text as in the colour', () => {
  const sold = (millions: number) => figures({ won: 30, cents: millions * 100_000_000 })
  expect(compareCents(sold(44), sold(46), EQUAL)).toEqual({ text: 'eram R$ 46 mi', tone: 'worse' })
  expect(compareCents(sold(45), sold(40.3), { days: 30, daysBefore: 31 })).toEqual({
    text: '+ R$ 200 mil por dia',
    tone: 'better',
  })
  expect(compareCents(sold(44.6), sold(46.1), { days: 30, daysBefore: 31 })).toEqual({
    text: 'igual por dia',
    tone: 'even',
  })
})

test('the file has what is seen, and empty cells for percents of few leads', () => {
  const now = figures({
    received: 2,
    answered: 1,
    inTime: 1,
    decided: 2,
    within: 50,
    median: 90,
    cents: 12_345,
    waiting: 1,
  })
  const line = { broker: 'corretor_ana', team: null, now, before: figures({ received: 8, median: 90 }) }
  const { header, rows } = toTable([line], 300, { now: 'novembro', before: 'outubro' })
  expect(header.slice(0, 3)).toEqual(['Corretor', 'Recebidos · novembro', 'Recebidos · outubro'])
  const cells = Object.fromEntries(header.map((title, index) => [title, rows[0]![index]]))
  expect(cells).toMatchObject({
    Corretor: 'Ana',
    'Recebidos · novembro': 2,
    'Recebidos · outubro': 8,
    'Mediana até a resposta (min) · novembro': null,
    'Mediana até a resposta (min) · outubro': 1.5,
    'Em até 5 min (%) · novembro': null,
    'Valor (R$) · novembro': 123.45,
    'Esperando agora': 1,
  })
  expect(toTable([line], 300, { now: 'novembro', before: null }).header).not.toContain('Recebidos · outubro')
})
