// Phone numbers as people in Brazil read them. Spec 5, 9.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { digitsOf, formatPhone } from '#domain/phone.ts'

it.each([
  ['5511955500142', '(11) 95550-0142'],
  ['551155500142', '(11) 5550-0142'],
  ['11955500142', '(11) 95550-0142'],
  ['1155500142', '(11) 5550-0142'],
  ['+55 (11) 95550-0142', '(11) 95550-0142'],
  ['5511955500142@s.whatsapp.net', '(11) 95550-0142'],
  // DDD 55 is Santa Maria, no country code
  ['55999112233', '(55) 99911-2233'],
  ['351912345678', '+351912345678'],
  ['5511', '5511'],
  ['', ''],
])('%s reads %s', (number, text) => {
  expect(formatPhone(number)).toBe(text)
})

const digits = fc.stringMatching(/^\d{10,11}$/)

it('keeps every digit of a national number', () => {
  fc.assert(
    fc.property(digits, (number) => {
      expect(digitsOf(formatPhone(number))).toBe(number)
    }),
  )
})

it('reads the same with the country code and without', () => {
  fc.assert(
    fc.property(digits, (number) => {
      expect(formatPhone(`55${number}`)).toBe(formatPhone(number))
    }),
  )
})
