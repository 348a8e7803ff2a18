// Passwords: bcrypt ($2a$) off the main thread, in the one form that the SQL functions of sign-in read too.
import { hash, verify } from '@node-rs/bcrypt'
import { PortalError } from '#domain/errors.ts'

const COST = 10
const MIN_LENGTH = 6
/** bcrypt reads no further. */
const MAX_BYTES = 72

/** How hashes are made and checked; tests count the calls. */
export type Passwords = {
  hash(password: string): Promise<string>
  verify(password: string, passwordHash: string): Promise<boolean>
}

export const bcryptPasswords: Passwords = { hash: hashPassword, verify: verifyPassword }

/** Raises `password.too-short`, `password.too-long` or `password.bad-character` for one that cannot be taken. */
export function checkNewPassword(password: string) {
  const given = password.normalize('NFC')
  if (Array.from(given).length < MIN_LENGTH)
    throw refused('password.too-short', `A senha precisa de pelo menos ${MIN_LENGTH} caracteres.`)
  if (Buffer.byteLength(given) > MAX_BYTES)
    throw refused(
      'password.too-long',
      `A senha é longa demais: use até ${MAX_BYTES} caracteres (acentos e emojis contam mais de um).`,
    )
  if (given.includes('\0'))
    throw refused('password.bad-character', 'A senha tem um caractere que não pode ser usado.')
}

/** The hash of a password that passed `checkNewPassword`. */
export async function hashPassword(password: string): Promise<string> {
  // The library names its newest form; up to 72 bytes it is the same as the $2a$ that pgcrypto writes and reads.
  return (await hash(password.normalize('NFC'), COST)).replace(/^\$2[by]\$/, '$2a$')
}

/** Whether the password belongs to the hash; takes as long for one that no account can have. */
async function verifyPassword(password: string, passwordHash: string): Promise<boolean> {
  const given = password.normalize('NFC')
  const isPossible = Buffer.byteLength(given) <= MAX_BYTES && !given.includes('\0')
  return (await verify(isPossible ? given : '', passwordHash)) && isPossible
}

const refused = (code: string, message: string) => new PortalError(code, message, { status: 422 })
