// Secrets sealed in the database: opened by their own key only, whatever else lies there.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createVault } from '#server/secret-box.ts'

const SECRET = 'one secret of a portal, thirty-two characters'
const vault = createVault(SECRET, 'one purpose')
const others = [
  createVault('another secret of a portal, thirty-two characters', 'one purpose'),
  createVault(SECRET, 'another purpose'),
]

test('a sealed secret opens with its own key only, and not when a byte of it changed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.nat(), (secret, place) => {
      const sealed = vault.seal(secret)
      expect(vault.open(sealed)).toEqual(Buffer.from(secret))
      for (const other of others) expect(other.open(sealed)).toBeNull()
      const broken = Uint8Array.from(sealed)
      broken[place % broken.length]! ^= 1
      expect(vault.open(broken)).toBeNull()
    }),
    { numRuns: 30 },
  )
})

test('a seal cut short opens as nothing', () => {
  const sealed = vault.seal(new Uint8Array())
  expect(vault.open(sealed)).toEqual(Buffer.alloc(0))
  for (let length = 0; length < sealed.length; length++)
    expect(vault.open(sealed.slice(0, length))).toBeNull()
})

test('what is no seal opens as nothing, however short', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      expect(vault.open(bytes)).toBeNull()
    }),
  )
})
