// A broker's calendar file: times in UTC, one id per entry, first names and places, no phone numbers.
import { expect, test } from 'vitest'
import { toCalendar } from '#server/visits/calendar-routes.ts'

const AT = Date.parse('2026-11-28T10:00:00-03:00') / 1000

test('visits and next actions have ids that a change keeps', () => {
  const visit = {
    id: 7,
    kind: 'visit',
    at: AT,
    place: 'Estande; Av. das Nações, 1200',
    firstName: 'Helena',
    sequence: 2,
    changedAt: AT - 60,
  } as const
  const call = { ...visit, id: 8, kind: 'call', place: null, firstName: null, sequence: 0 } as const
  const lines = toCalendar([visit, call], 'https://portal.example').replaceAll('\r\n ', '').split('\r\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'BEGIN:VCALENDAR',
      'UID:acao-7@portal.example',
      'SEQUENCE:2',
      'DTSTART:20261128T130000Z',
      'DTEND:20261128T134000Z',
      'SUMMARY:Visita · Helena',
      String.raw`LOCATION:Estande\; Av. das Nações\, 1200`,
      'UID:acao-8@portal.example',
      'DTEND:20261128T131500Z',
      'SUMMARY:Ligar',
      'END:VCALENDAR',
    ]),
  )
  expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(2)
})

test('hours are instants, independent of a phone’s clock or zone: 9h before and after a clock change', () => {
  const at = (text: string) => ({
    id: Date.parse(text),
    kind: 'visit' as const,
    at: Date.parse(text) / 1000,
    place: null,
    firstName: 'Helena',
    sequence: 0,
    changedAt: AT,
  })
  const text = toCalendar([at('2018-11-03T09:00-03:00'), at('2018-11-04T09:00-02:00')], 'http://portal.test')
  expect([...text.matchAll(/DTSTART:(\S+)/g)].map(([, start]) => start)).toEqual([
    '20181103T120000Z',
    '20181104T110000Z',
  ])
})

test('an empty calendar is valid', () => {
  const text = toCalendar([], 'http://portal.test')
  expect(text.startsWith('BEGIN:VCALENDAR')).toBe(true)
  expect(text).not.toContain('VEVENT')
})

test('line breaks in a place or a name make no entry and no field', () => {
  const hostile = 'Rua 1\r\nEND:VEVENT\rBEGIN:VEVENT\nATTACH:http://x.test\u2028X:1;á'.repeat(20)
  const text = toCalendar(
    [{ id: 1, kind: 'visit', at: AT, place: hostile, firstName: hostile, sequence: 0, changedAt: AT }],
    'http://portal.test',
  )
  const lines = text.split(/\r\n|\r|\n/)
  expect(lines.filter((line) => /^(?:BEGIN:VEVENT|END:VEVENT|ATTACH|X:)/.test(line))).toEqual([
    'BEGIN:VEVENT',
    'END:VEVENT',
  ])
  expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([])
})
