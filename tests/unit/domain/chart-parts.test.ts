// What charts show and hide, and the labels of slices and bars.
import { describe, expect, it } from 'vitest'
import {
  barCaption,
  campaignParts,
  cutCampaign,
  dayBarHeight,
  type Part,
  sliceCaption,
  sourceParts,
  statusParts,
  weekdayParts,
} from '#domain/dashboard/chart-parts.ts'
import { table } from '#tests/support/table.ts'

const part = (count: number, total = 100): Part => ({ value: 'x', label: 'x', count, share: count / total })
const rows = (...values: string[]) => values.map((value, index) => ({ value, count: 10 - index }))
const labels = (parts: readonly Part[]) => parts.map(({ label }) => label)

describe('a slice', () => {
  table('of %d%% says %j', (count) => sliceCaption(part(count)), [
    [10, '10%'],
    [37.9, '38%'],
    [9.99, ''],
    [100, '100%'],
    [0.1, ''],
  ])
})

describe('a campaign’s bar', () => {
  table('%d long of 100, says %j', (count) => barCaption(part(count, 250), 100), [
    [100, '40%'],
    [21, '8%'],
    [20.1, '8%'],
    [20, ''],
    [5, ''],
  ])
})

describe('a day’s bar', () => {
  table('of %d among 100 has height %d', (count) => dayBarHeight(part(count), 100), [
    [100, 1],
    [50, 0.5],
    [8, 0.08],
    [7, 0.08],
    [1, 0.08],
  ])
})

describe('campaigns', () => {
  it.each(['sem campanha', 'Sem Campanha', 'sem-campanha', 'unknown', 'Desconhecida', '', '   '])(
    '%j is omitted',
    (name) => expect(labels(campaignParts(rows('Feirão', name)))).toEqual(['Feirão']),
  )

  it('are sorted by size, with their shares of what is shown', () => {
    const parts = campaignParts([
      { value: 'sem campanha', count: 100 },
      { value: 'A', count: 10 },
      { value: 'B', count: 30 },
    ])
    expect(parts.map(({ label, share }) => [label, share])).toEqual([
      ['B', 0.75],
      ['A', 0.25],
    ])
  })

  table('%j is shortened to %j', cutCampaign, [
    ['Lançamento Mirante do Lago Fase 2', 'Lançamento Mirante do Lag...'],
    ['Vinte e cinco letras aqui', 'Vinte e cinco letras aqui'],
    ['Vinte e seis letras aqui ó', 'Vinte e seis letras aqui ...'],
  ])
})

describe('sources', () => {
  it('have labels; an unknown one is omitted, another is shown unchanged', () =>
    expect(
      labels(
        sourceParts(rows('midia-fisica', 'desconhecida', 'organico', 'Instagram', 'Feira 2026', 'indicacao')),
      ),
    ).toEqual(['Mídia física', 'Orgânico', 'Instagram', 'Feira 2026', 'Indicação']))
})

describe('statuses', () => {
  const names = new Map([
    ['new', 'Novos Contatos'],
    ['negociacao', 'Negociação'],
  ])

  it("use the four labels, then their stage's name, then the value", () =>
    expect(
      labels(statusParts(rows('new', 'contacted', 'qualified', 'closed', 'negociacao', 'vip'), names)),
    ).toEqual(['Novo Lead', 'Contatado', 'Qualificado', 'Fechado', 'Negociação', 'vip']))
})

describe('weekdays', () => {
  it('are in the order of the week; days without a lead are omitted', () =>
    expect(
      weekdayParts([
        { value: 'sábado', dayNumber: 6, count: 2 },
        { value: 'domingo', dayNumber: 0, count: 1 },
        { value: 'quarta-feira', dayNumber: 3, count: 0 },
      ]).map(({ value, short }) => [value, short]),
    ).toEqual([
      ['0', 'Dom'],
      ['6', 'Sáb'],
    ]))

  it.each([
    ['Sunday', 'Domingo'],
    ['monday', 'Segunda-feira'],
    ['Tuesday', 'Terça-feira'],
    ['WEDNESDAY', 'Quarta-feira'],
    ['quinta', 'Quinta-feira'],
    ['sexta-feira', 'Sexta-feira'],
    ['Sabado', 'Sábado'],
    ['terça-feira', 'Terça-feira'],
  ])('%s is %s', (value, name) =>
    expect(labels(weekdayParts([{ value, dayNumber: 4, count: 1 }]))).toEqual([name]),
  )
})
