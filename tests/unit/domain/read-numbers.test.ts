// The reader of phone numbers, on texts from offices and on random ones.
import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { phoneKey } from '#domain/phone/number-key.ts'
import { numbersIn, readNumbers } from '#domain/phone/read.ts'
import { READ_CASES } from '#tests/support/phone-cases.ts'

const numbersOf = (text: string) => readNumbers(text).numbers.map(({ e164 }) => e164)

it.each(READ_CASES)('reads $numbers in $written', ({ written, numbers, fault, rest }) => {
  const read = readNumbers(written)
  expect(read.numbers.map(({ e164 }) => e164)).toEqual(numbers)
  expect(read.fault).toBe(fault ?? null)
  if (rest !== undefined) expect(read.rest).toBe(rest)
})

test('each number has its country, national digits and kind', () => {
  expect(readNumbers('+55 11 95550-0142 / 11 3222-0142 / +1 415 555 0142').numbers).toEqual([
    { country: 'BR', national: '11955500142', e164: '+5511955500142', kind: 'mobile' },
    { country: 'US', national: '4155550142', e164: '+14155550142', kind: 'either' },
    { country: 'BR', national: '1132220142', e164: '+551132220142', kind: 'landline' },
  ])
})

test.each([
  [['955500142'], '011', ['+5511955500142']],
  [['1132220142', 11955500142], undefined, ['+5511955500142', '+551132220142']],
  [['x', null, { a: 1 }, ['11 3222-0142 ramal 12 / 11 95550-0142']], 11, ['+5511955500142', '+551132220142']],
  [[], '11', []],
  // A separate area code does not belong to a number of another country.
  [['+55 95550-0142'], '11', []],
])('of %j with area code %j the numbers are %j', (values, area, numbers) => {
  expect(numbersIn(values, area).numbers.map(({ e164 }) => e164)).toEqual(numbers)
})

const area = fc.constantFrom('11', '21', '31', '51', '55', '71', '85', '99')
const mobile = fc.tuple(area, fc.stringMatching(/^9\d{8}$/)).map((parts) => parts.join(''))
const landline = fc.tuple(area, fc.stringMatching(/^[25]\d{7}$/)).map((parts) => parts.join(''))
const national = fc.oneof(mobile, landline)
const shapes = [
  (n: string) => n,
  (n: string) => `(${n.slice(0, 2)}) ${n.slice(2, -4)}-${n.slice(-4)}`,
  (n: string) => `${n.slice(0, 2)} ${n.slice(2, -4)} ${n.slice(-4)}`,
  (n: string) => `0${n.slice(0, 2)} ${n.slice(2, -4)}.${n.slice(-4)}`,
  (n: string) => `+55 ${n.slice(0, 2)} ${n.slice(2, -4)}-${n.slice(-4)}`,
  (n: string) => `+55 (0)${n.slice(0, 2)} ${n.slice(2)}`,
  (n: string) => `55${n}`,
  (n: string) => `0 15 ${n.slice(0, 2)} ${n.slice(2, -4)}-${n.slice(-4)}`,
] as const
const written = fc.tuple(national, fc.constantFrom(...shapes)).map(([n, shape]) => ({
  text: shape(n),
  number: `+55${n}`,
}))
const unseen = fc.array(fc.constantFrom('\u200B', '\u202A', '\u202C', '\u2066', '\u00AD', '\uFEFF'), {
  maxLength: 3,
})

it('finds every number in every form, with any words around it', () => {
  const words = fc.constantFrom('', 'cel ', 'falar com Ana: ', ' (recado)', ' - após as 18h', ' esposa')
  fc.assert(
    fc.property(written, words, unseen, fc.nat(20), (one, word, marks, at) => {
      const text = word.startsWith(' ') ? one.text + word : word + one.text
      expect(numbersOf(text.slice(0, at) + marks.join('') + text.slice(at))).toEqual([one.number])
    }),
  )
})

it('takes a bracket behind a number for the area code of the next one, not for digits of a carrier', () => {
  expect(numbersOf('+55 (0)11 97900-0000\n(11) 5000-0000')).toEqual(['+5511979000000', '+551150000000'])
  expect(numbersOf('0 15 (11) 97900-0000')).toEqual(['+5511979000000'])
})

it('finds both of two numbers', () => {
  const between = fc.constantFrom(' / ', '; ', ', ', ' ou ', ' e ', ' | ', ' & ', '\n', ' cel: ', ' - ')
  fc.assert(
    fc.property(written, written, between, (a, b, separator) => {
      const keys = new Set([a, b].map(({ number }) => phoneKey(number)))
      const read = readNumbers(a.text + separator + b.text)
      expect(new Set(read.numbers.map(({ e164 }) => phoneKey(e164)))).toEqual(keys)
      expect(read.rest).toBe('')
    }),
  )
})

it('reads no number with a wrong count of digits', () => {
  fc.assert(
    fc.property(mobile, fc.constantFrom(...shapes.slice(0, 5)), fc.nat(9), (n, shape, digit) => {
      // 55 may be the country code of an older number.
      fc.pre(!n.startsWith('55'))
      expect(numbersOf(shape(n) + digit)).toEqual([])
      expect(numbersOf(shapes[1](n).slice(0, -1))).toEqual([])
    }),
  )
})

it('returns international numbers that are read the same again', () => {
  const piece = fc.oneof(
    fc.stringMatching(/^[+0-9 ()./,:;-]{1,12}$/),
    fc.constantFrom(
      '+',
      '00',
      '55',
      '0xx',
      '1,9E+10',
      ' ou ',
      'ramal ',
      '@s.whatsapp.net',
      'wa.me/',
      '/',
      '\u200E',
    ),
    fc.string({ unit: 'binary', maxLength: 4 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const { numbers, fault } = readNumbers(pieces.join(''))
      expect(fault === null).toBe(numbers.length > 0)
      for (const { e164 } of numbers) {
        expect(e164).toMatch(/^\+[1-9]\d{6,14}$/)
        expect(numbersOf(e164)).toEqual([e164])
      }
    }),
    { numRuns: 300 },
  )
})
