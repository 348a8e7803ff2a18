// Encrypted secrets in the database: only the right key decrypts them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSecretBox } from '#server/secret-box.ts'

const SECRET = 'one secret of a portal, thirty-two characters'
const secretBox = createSecretBox(SECRET, 'one purpose')
const others = [
  createSecretBox('another secret of a portal, thirty-two characters', 'one purpose'),
  createSecretBox(SECRET, 'another purpose'),
]

test('an encrypted secret opens with its own key only, and not after a changed byte', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.nat(), (secret, place) => {
      const sealed = secretBox.encrypt(secret)
      expect(secretBox.decrypt(sealed)).toEqual(Buffer.from(secret))
      for (const other of others) expect(other.decrypt(sealed)).toBeNull()
      const broken = Uint8Array.from(sealed)
      broken[place % broken.length]! ^= 1
      expect(secretBox.decrypt(broken)).toBeNull()
    }),
    { numRuns: 30 },
  )
})

test('a truncated one gives nothing', () => {
  const sealed = secretBox.encrypt(new Uint8Array())
  expect(secretBox.decrypt(sealed)).toEqual(Buffer.alloc(0))
  for (let length = 0; length < sealed.length; length++)
    expect(secretBox.decrypt(sealed.slice(0, length))).toBeNull()
})

test('any other text gives nothing, however short', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      expect(secretBox.decrypt(bytes)).toBeNull()
    }),
  )
})
