// Phone numbers in Brazilian form.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readChatNumber } from '#domain/phone/chat-number.ts'
import { dialledDigits, phoneKey } from '#domain/phone/number-key.ts'
import { digitsOf, formatPhone } from '#domain/phone/phone.ts'
import { PHONE_CASES } from '#tests/support/phone-cases.ts'
import { table } from '#tests/support/table.ts'

table('%s reads %s', formatPhone, [
  ['5511955500142', '(11) 95550-0142'],
  ['551155500142', '(11) 5550-0142'],
  ['11955500142', '(11) 95550-0142'],
  ['1155500142', '(11) 5550-0142'],
  ['+55 (11) 95550-0142', '(11) 95550-0142'],
  ['5511955500142@s.whatsapp.net', '(11) 95550-0142'],
  // area code 55 is Santa Maria, not the country code
  ['55999112233', '(55) 99911-2233'],
  ['351912345678', '+351912345678'],
  // Eleven digits that are no Brazilian number begin with a country code.
  ['14155550142', '+14155550142'],
  ['1 415 555 0100', '+14155550100'],
  ['5511', '5511'],
  ['', ''],
])

it.each(PHONE_CASES)('$written is dialled as $dialled and has the key $key', ({ written, key, dialled }) => {
  expect([dialledDigits(written), phoneKey(written)]).toEqual([dialled, key])
})

it('the key of a key is itself', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\+?[\d ()-]{1,18}$/), (written) => {
      const key = phoneKey(written)
      expect(key === null ? null : phoneKey(key)).toBe(key)
    }),
  )
})

const digits = fc.stringMatching(/^(1[1-9]|2[12478]|5[1345]|9[1-9])(9\d{8}|[2-9]\d{7})$/)

it('keeps every digit of a national number', () => {
  fc.assert(
    fc.property(digits, (number) => {
      expect(digitsOf(formatPhone(number))).toBe(number)
    }),
  )
})

it('is the same with and without the country code', () => {
  fc.assert(
    fc.property(digits, (number) => {
      expect(formatPhone(`55${number}`)).toBe(formatPhone(number))
    }),
  )
})

/** In the order of the rules. */
const CHAT_NUMBERS: [typed: string, number: string][] = [
  // 11 digits with a 9 as third: adds the country code, drops that 9.
  ['11955500142', '551155500142'],
  ['(11) 95550-0142', '551155500142'],
  ['11 9 5550 0142', '551155500142'],
  ['  21987654321  ', '552187654321'],
  ['41999999999', '554199999999'],
  ['55991234567', '555591234567'],
  ['85.9.8888.7777', '558588887777'],
  // 11 digits with another third digit: unchanged.
  ['11855500142', '11855500142'],
  ['01155500142', '01155500142'],
  ['35112345678', '35112345678'],
  // 10 digits: adds the country code.
  ['1155500142', '551155500142'],
  ['(21) 3333-4444', '552133334444'],
  ['4133334444', '554133334444'],
  ['5532221100', '555532221100'],
  ['9999999999', '559999999999'],
  // 12 digits that begin with 55, without a 9 after the area code: unchanged.
  ['551155500142', '551155500142'],
  ['+55 11 5550-0142', '551155500142'],
  ['551195550014', '55115550014'],
  ['55 (41) 9333-4444', '55413334444'],
  ['555532221100', '555532221100'],
  ['555592221100', '55552221100'],
  ['541155500142', '541155500142'],
  // 13 digits with country code, area code and 9: like the 11 without the country code.
  ['5511955500142', '551155500142'],
  ['+55 (11) 95550-0142', '551155500142'],
  ['+55 21 98765-4321', '552187654321'],
  ['5555991234567', '555591234567'],
  ['5511955500142@s.whatsapp.net', '551155500142'],
  ['5511855500142', '5511855500142'],
  ['1234567890123', '1234567890123'],
  // Other lengths: unchanged.
  ['351912345678901', '351912345678901'],
  ['12345678901234', '12345678901234'],
]

it.each(CHAT_NUMBERS)('the history of %s is found under %s', (typed, number) => {
  expect(readChatNumber(typed)).toEqual({ ok: true, number, digits: digitsOf(typed) })
})

it.each([
  ['', 'empty'],
  ['   ', 'empty'],
  ['número', 'empty'],
  ['1', 'short'],
  ['1234567', 'short'],
  ['555-0142', 'short'],
  ['55500142', 'no-area'],
  ['5550-0142', 'no-area'],
  ['955500142', 'local'],
  ['9 5550-0142', 'local'],
])('%j is an invalid number: %s', (typed, reason) => {
  expect(readChatNumber(typed)).toEqual({ ok: false, reason })
})
