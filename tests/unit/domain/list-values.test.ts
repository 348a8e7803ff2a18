// Amounts, days and tags in lists of other systems, and how their brokers and stages become ours.
import { describe, expect, it, test } from 'vitest'
import { bindingFault, bindingsOf, boundFields, REFUSED, UNBOUND } from '#domain/lead/list/bindings.ts'
import { readRow } from '#domain/lead/list/row.ts'
import { readCents, readDayMs, readTags } from '#domain/lead/list/values.ts'
import { table } from '#tests/support/table.ts'

describe('an amount', () => {
  it.each([
    ['R$ 450.000,00', 45_000_000], ['450000', 45_000_000], ['450.000', 45_000_000], ['450,000.00', 45_000_000],
    ['450000.5', 45_000_050], ['R$ 1.250,5', 125_050], ['450 mil', 45_000_000], ['1,2 milhão', 120_000_000],
    ['1.5 mi', 150_000_000], ['350k', 35_000_000], ['0', 0], ['1.000.000 reais', 100_000_000],
  ])('%j is %i cents', (text, cents) => expect(readCents(text)).toBe(cents)) // prettier-ignore
  it.each(['a combinar', '300 a 400 mil', '12.34.56', '1,2,3', '-5', '9999999999999', '', 'R$', '10%'])(
    '%j is none',
    (text) => expect(readCents(text)).toBeNull(),
  )
})

describe('a day', () => {
  it.each([
    ['20/11/2026', '2026-11-20T15:00:00.000Z'], ['20/11/26', '2026-11-20T15:00:00.000Z'],
    ['20/11/2026 09:41', '2026-11-20T12:41:00.000Z'], ['20-11-2026 às 9h05', '2026-11-20T12:05:00.000Z'],
    ['2026-11-20', '2026-11-20T15:00:00.000Z'], ['2026-11-20 09:41:07', '2026-11-20T12:41:00.000Z'],
    ['2026-11-20T09:41:07.123Z', '2026-11-20T09:41:00.000Z'], ['2026-11-20T09:41:00-03:00', '2026-11-20T12:41:00.000Z'],
    // Summer time.
    ['15/01/2018 10:00', '2018-01-15T12:00:00.000Z'],
  ])('%j is %s', (text, instant) => expect(new Date(readDayMs(text)!).toISOString()).toBe(instant)) // prettier-ignore
  it.each([
    '31/02/2026',
    '13/13/2026',
    '11/20/2026',
    'ontem',
    '45250',
    '20/11',
    '01/01/1900',
    '20/11/2026 25:00',
  ])('%j is none', (text) => expect(readDayMs(text)).toBeNull())
})

test('tags are separated by commas, semicolons, bars and lines, each once, twelve of 24 letters at most', () => {
  expect(readTags(' Quente; vista mar ,Quente|x\ny')).toEqual(['Quente', 'vista mar', 'x', 'y'])
  expect(readTags('a'.repeat(30))).toEqual(['a'.repeat(24)])
  expect(readTags(Array.from({ length: 20 }, (_, n) => `t${n}`).join(','))).toHaveLength(12)
})

describe('a row', () => {
  const nowMs = Date.parse('2026-11-29T12:00:00Z')
  const read = (row: object) => readRow({ phone: '11 95550-0101', ...row }, { nowMs })

  test('has a value, tags, and a history', () => {
    expect(
      read({
        value: '450 mil',
        tags: 'Quente',
        arrivedAt: '01/10/2026',
        lastContactAt: '20/10/2026',
        note: 'Liga à noite',
      }).lead,
    ).toMatchObject({
      valueCents: 45_000_000,
      tags: ['Quente'],
      arrivedAt: '2026-10-01T15:00:00.000Z',
      lastContactAt: '2026-10-20T15:00:00.000Z',
      note: 'Liga à noite\nÚltimo contato: 20/10/2026',
    })
    expect(read({ value: ' ', arrivedAt: '' }).lead).toMatchObject({
      valueCents: null,
      tags: [],
      arrivedAt: null,
    })
  })

  it.each([
    [{ value: 'a combinar' }, 'bad-value'],
    [{ arrivedAt: 'ontem' }, 'bad-arrival'],
    [{ arrivedAt: '30/11/2026' }, 'bad-arrival'],
    [{ lastContactAt: '31/02/2026' }, 'bad-last-contact'],
  ])('%j is refused: %s', (row, fault) => expect(read(row)).toEqual({ lead: null, fault }))
})

describe('names of the list', () => {
  const ours = {
    brokers: ['corretor_camila', 'corretor_rafael', 'corretor_anapaula'],
    stages: [
      { slug: 'conversa', name: 'Conversa' },
      { slug: 'negociacao', name: 'Negociação' },
    ],
  }
  const { brokerOf, stageOf } = bindingsOf(ours, { brokers: {}, stages: {} })

  it.each([
    ['Camila', 'corretor_camila'], ['CAMILA SOUZA', 'corretor_camila'], ['rafael@imobiliaria.com.br', 'corretor_rafael'],
    ['Ana Paula', 'corretor_anapaula'], ['corretor_rafael', 'corretor_rafael'], ['Ana', UNBOUND], ['Bruno Lima', UNBOUND],
  ])('%j becomes %j', (name, to) => expect(brokerOf(name)).toBe(to)) // prettier-ignore
  table('the stage %j becomes %j', stageOf, [
    ['NEGOCIACAO', 'negociacao'],
    ['em conversa', UNBOUND],
    ['Conversa', 'conversa'],
  ])

  test('are bound, left open or refused by choice', () => {
    const fields = { phone: '11 95550-0101', broker: 'Bruno Lima', stage: 'Proposta' }
    const row = readRow(fields)
    const chosen = (broker: string, stage: string) =>
      bindingsOf(ours, { brokers: { 'Bruno Lima': broker }, stages: { Proposta: stage } })
    expect(boundFields(fields, row, chosen(UNBOUND, UNBOUND))).toEqual({
      phone: fields.phone,
      stage: 'Proposta',
    })
    expect(boundFields(fields, row, chosen('corretor_rafael', 'negociacao'))).toEqual({
      ...fields,
      broker: 'corretor_rafael',
      boardStage: 'negociacao',
    })
    expect(bindingFault(row, chosen(UNBOUND, UNBOUND))).toBeNull()
    expect(bindingFault(row, chosen(REFUSED, UNBOUND))).toBe('unknown-broker')
    expect(bindingFault(row, chosen(UNBOUND, REFUSED))).toBe('unknown-stage')
  })
})
