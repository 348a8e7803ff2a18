// Codes of authenticator apps: six digits that change every 30 seconds (RFC 6238), and their secrets.
import { createHmac, randomBytes } from 'node:crypto'

export const STEP_SECONDS = 30
const DIGITS = 6
/** Codes of one step before and after are accepted, so clocks may differ by half a minute. */
const SKEW_STEPS = 1
const SECRET_BYTES = 20
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export const makeSecret = (): Uint8Array => randomBytes(SECRET_BYTES)

/** The code of time step number `step`. */
export function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = digest.readUInt8(digest.length - 1) & 0x0f
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/**
 * The time step of a code: the current one or a neighbour; null for a wrong code and for a step not after
 * `lastStep`. A last step in the future was accepted while the clock ran ahead, and is ignored.
 */
export function stepOf(
  code: string,
  secret: Uint8Array,
  now: { ms: number; lastStep: number },
): number | null {
  const current = Math.floor(now.ms / 1000 / STEP_SECONDS)
  const lastStep = now.lastStep > current + SKEW_STEPS ? 0 : now.lastStep
  for (let step = current - SKEW_STEPS; step <= current + SKEW_STEPS; step++)
    if (step > lastStep && codeAt(secret, step) === code) return step
  return null
}

/** The secret as text, for an app that cannot scan the QR code. */
export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => BASE32.charAt(parseInt(group.padEnd(5, '0'), 2)))
    .join('')
}

/** The address in the QR code for an authenticator app. */
export function keyUri(key: { secret: string; username: string; issuer: string }): string {
  const label = `${encodeURIComponent(key.issuer)}:${encodeURIComponent(key.username)}`
  const search = `secret=${key.secret}&issuer=${encodeURIComponent(key.issuer)}`
  return `otpauth://totp/${label}?${search}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`
}
