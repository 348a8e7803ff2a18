// When photos load automatically.
import { expect, it } from 'vitest'
import { loadsPhotos } from '#data/messages/auto-photos.ts'

it.each([
  ['always', { type: 'cellular' }, true],
  ['never', { type: 'wifi' }, false],
  ['wifi', { type: 'wifi' }, true],
  ['wifi', { type: 'ethernet' }, true],
  ['wifi', { type: 'cellular' }, false],
  ['wifi', { type: 'wifi', saveData: true }, false],
  // Safari gives no network information.
  ['wifi', undefined, false],
] as const)('%s on %o: %s', (choice, connection, loads) => {
  expect(loadsPhotos(choice, connection)).toBe(loads)
})
