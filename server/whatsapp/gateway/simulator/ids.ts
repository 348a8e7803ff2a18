// Ids in the formats of the gateway and WhatsApp: random characters and a counter, so that they are unique.
import type { Clock } from '#server/clock.ts'

const HEX = '0123456789abcdef'
const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz'
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const PAIRING = '123456789ABCDEFGHJKLMNPQRSTVWXYZ'

export type Ids = ReturnType<typeof createIds>

export function createIds(clock: Clock) {
  const text = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet[clock.randomBetween(0, alphabet.length - 1)]).join('')
  let count = 0
  /** Ends in the counter, in the same alphabet. */
  const unique = (alphabet: string, length: number) => {
    count += 1
    const tail = count.toString(alphabet.length)
    return text(alphabet, length - tail.length) + tail
  }
  return {
    /** A row of the gateway's database. */
    row: () => `cm${unique(BASE36, 23)}`,
    uuid: () => [...[8, 4, 4, 4].map((length) => text(HEX, length)), unique(HEX, 12)].join('-'),
    /** A message the gateway sent. */
    sent: () => `3EB0${unique(HEX, 18).toUpperCase()}`,
    /** A message a phone sent. */
    phone: () => unique(HEX, 32).toUpperCase(),
    /** Content of a QR code: reference, and three keys. */
    qr: () =>
      [`2@${text(BASE64, 72)}${unique(BASE36, 12)}`, ...[1, 2, 3].map(() => `${text(BASE64, 43)}=`)].join(
        ',',
      ),
    pairing: () => text(PAIRING, 8),
    file: () => text(HEX, 32),
    bytes: (length: number) => Uint8Array.from({ length }, () => clock.randomBetween(0, 255)),
  }
}
