// A lead added by hand: its name, its typed number, and its local id.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { idOfAddition, isName, tidyName } from '#domain/lead/adding.ts'
import { masked } from '#features/adding/phone-mask.ts'
import { table } from '#tests/support/table.ts'

it('a name has two letters, and one space between words', () => {
  expect(['', ' ', 'S', ' S ', 'Sá'].map(isName)).toEqual([false, false, false, false, true])
  expect(tidyName('  Sandra \n Lemos ')).toBe('Sandra Lemos')
})

it('its local id comes from its operation: below every server id, an exact number, unique', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (one, other) => {
      const id = idOfAddition(one)
      expect(id).toBeLessThan(0)
      expect(Number.isSafeInteger(id)).toBe(true)
      expect(idOfAddition(other) === id).toBe(
        other.replaceAll('-', '').slice(0, 12) === one.replaceAll('-', '').slice(0, 12),
      )
    }),
  )
})

table('typed or pasted %s becomes %s', masked, [
  ['1', '1'],
  ['11', '11'],
  ['119', '(11) 9'],
  ['11905', '(11) 905'],
  ['1133334444', '(11) 3333-4444'],
  ['11905550148', '(11) 90555-0148'],
  ['+55 11 90555-0148', '(11) 90555-0148'],
  ['0055 11 90555 0148', '(11) 90555-0148'],
  // Numbers that it cannot format stay unchanged.
  ['+1 415 555 0142', '+1 415 555 0142'],
  ['119055501489', '119055501489'],
  ['', ''],
  ['99999-1234', '99999-1234'],
  ['3333 4444', '3333 4444'],
])
