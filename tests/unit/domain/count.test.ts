// Numbers and times equal Intl's, also where Intl is not used.
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { formatNumber } from '#domain/count.ts'
import { formatDate, formatHour, TIME_ZONE } from '#domain/format.ts'
import { byTier } from '#tests/support/runner/tier.ts'

test("a number is formatted like Intl's", () => {
  const number = fc.oneof(
    fc.maxSafeInteger(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  )
  fc.assert(
    fc.property(number, (value) => {
      expect(formatNumber(value)).toBe((value === 0 ? 0 : value).toLocaleString('pt-BR'))
    }),
  )
})

const usual = process.env['TZ']
afterEach(() => {
  if (usual === undefined) delete process.env['TZ']
  else process.env['TZ'] = usual
})

// Fails once the zone has daylight saving time again: then format.ts must support it.
test.each([
  'America/Sao_Paulo',
  'America/Bahia',
  'America/Manaus',
  'America/Noronha',
  'UTC',
  'Europe/Lisbon',
])("on a device in %s a time is in São Paulo’s zone, like Intl's", (device) => {
  process.env['TZ'] = device
  const byIntl = new Intl.DateTimeFormat('pt-BR', {
    timeZone: TIME_ZONE,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  const moment = fc.integer({ min: Date.UTC(2018, 0), max: Date.UTC(2032, 0) })
  fc.assert(
    fc.property(moment, (ms) => {
      expect(`${formatDate(ms)}, ${formatHour(ms)}`).toBe(byIntl.format(ms))
    }),
    { numRuns: byTier(250, 1_000) },
  )
})
