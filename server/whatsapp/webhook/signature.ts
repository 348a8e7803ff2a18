// Checks the signature of a delivery over its raw bytes, where its gateway signs.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { signingKeyOf, type DeliveryReader } from '#server/delivery.ts'

/** `add` takes the bytes in order. `isValid` answers after the last one. */
export function createSignatureCheck(
  signature: DeliveryReader['signature'],
  { secret, headers }: { secret: string; headers: Headers },
) {
  if (!signature) return { add: undefined, isValid: () => true }
  const made = createHmac(signature.algorithm, signingKeyOf(secret))
  return {
    add: (bytes: Uint8Array) => void made.update(bytes),
    isValid: (): boolean => {
      const given = Buffer.from(headers.get(signature.header) ?? '', 'hex')
      const expected = made.digest()
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
