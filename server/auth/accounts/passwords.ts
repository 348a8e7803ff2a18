// Passwords: bcrypt ($2a$) off the main thread, in the form that the SQL functions of sign-in read, too.
import { hash, verify } from '@node-rs/bcrypt'
import { PortalError } from '#domain/errors.ts'

const COST = 10
const MIN_LENGTH = 6
/** bcrypt ignores further bytes. */
const MAX_BYTES = 72

/** Creates and checks hashes; tests count the calls. */
export type Passwords = {
  hash(password: string): Promise<string>
  verify(password: string, passwordHash: string): Promise<boolean>
}

export const bcryptPasswords: Passwords = { hash: hashPassword, verify: verifyPassword }

/** Raises `password.too-short`, `password.too-long` or `password.bad-character`. */
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
  // The library writes $2b$; up to 72 bytes it equals the $2a$ that pgcrypto reads.
  return (await hash(password.normalize('NFC'), COST)).replace(/^\$2[by]\$/, '$2a$')
}

/** Whether the password matches the hash; takes as long for an impossible password. */
async function verifyPassword(password: string, passwordHash: string): Promise<boolean> {
  const given = password.normalize('NFC')
  const isPossible = Buffer.byteLength(given) <= MAX_BYTES && !given.includes('\0')
  return (await verify(isPossible ? given : '', passwordHash)) && isPossible
}

const refused = (code: string, message: string) => new PortalError(code, message, { status: 422 })
