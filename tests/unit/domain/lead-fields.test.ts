// Amounts as brokers type them, and waiting field changes over stored ones.
import { expect, it } from 'vitest'
import { formatTotal, formatValue, type LeadFields, lossLabel, readValue } from '#domain/lead/fields.ts'
import type { Entry } from '#domain/outbox/command.ts'
import { layOverFields } from '#domain/outbox/fields-overlay.ts'
import { table } from '#tests/support/table.ts'

table('%s is %s cents', readValue, [
  ['640 mil', 64_000_000],
  ['R$ 640 mil', 64_000_000],
  ['1,2 mi', 120_000_000],
  ['850.000', 85_000_000],
  ['850000,50', 85_000_050],
  ['2 milhões', 200_000_000],
  ['0', 0],
  ['', null],
  ['caro', null],
  ['-5', null],
  ['9999 mi', null],
])

it.each([
  [64_000_000, 'R$ 640 mil'],
  [120_000_000, 'R$ 1,2 mi'],
  [85_050, 'R$ 850,50'],
  [123_456_789, 'R$ 1.234.567,89'],
])('%s cents are %s, and parse to the same', (cents, text) => {
  expect(formatValue(cents)).toBe(text)
  expect(readValue(text)).toBe(cents)
})

const KNOWN: LeadFields = {
  email: null,
  value: 1,
  development: null,
  campaign: null,
  tags: ['Varanda'],
  loss_reason: null,
}
const entry = (leadId: number, fields: Partial<LeadFields>, state: Entry['state'] = 'queued') =>
  ({
    state,
    command: { kind: 'lead.fields', lead: { id: leadId }, given: { fields, base: {} } },
  }) as Entry

it('waiting changes are applied in order; another lead’s and refused ones are not', () => {
  const entries = [
    entry(7, { value: 2, email: 'a@b.co' }),
    entry(7, { value: 3 }),
    entry(8, { value: 9 }),
    entry(7, { campaign: 'x' }, 'refused'),
  ]
  expect(layOverFields(KNOWN, 7, entries)).toEqual({ ...KNOWN, value: 3, email: 'a@b.co' })
})

table('%i cents of many leads are %s', formatTotal, [
  [0, 'R$ 0'],
  [99_949, 'R$ 999'],
  [48_200_000, 'R$ 482 mil'],
  [20_152_700_000, 'R$ 201,5 mi'],
])

it('a missing reason, and one of another version, have the same text', () => {
  expect(lossLabel('no_means')).toBe('Sem condição agora')
  expect([lossLabel('none'), lossLabel('toString')]).toEqual(['Motivo não informado', 'Motivo não informado'])
})
