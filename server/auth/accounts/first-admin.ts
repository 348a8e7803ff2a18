// The first administrator, created only on the first start.
import { randomInt } from 'node:crypto'
import type { AuthParts } from '../auth-parts.ts'
import { checkNewPassword } from './passwords.ts'

/** Letters and digits, without those that people confuse. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP_LENGTH = 4

/**
 * Creates an administrator if there is none. Returns the generated password, to be shown once; null if one
 * was given or an administrator exists. Raises the faults of `checkNewPassword` for a given one.
 */
export async function ensureFirstAdmin(
  { accounts, passwords, log }: Pick<AuthParts, 'accounts' | 'passwords' | 'log'>,
  username: string,
  given: string | undefined,
): Promise<{ username: string; password: string } | null> {
  if (await accounts.hasAdmin()) return null
  const password = given ?? makePassword()
  checkNewPassword(password)
  if (!(await accounts.addFirstAdmin(username, await passwords.hash(password)))) return null
  log.info('admin.made')
  return given === undefined ? { username, password } : null
}

/** Sixteen characters in four groups: 79 bits that can still be typed from a screen. */
function makePassword(): string {
  const makeGroup = () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')
  return Array.from({ length: GROUPS }, makeGroup).join('-')
}
