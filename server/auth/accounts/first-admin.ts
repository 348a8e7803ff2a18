// The first administrator: made on the first start only.
import { randomInt } from 'node:crypto'
import type { AuthParts } from '../auth-parts.ts'
import { checkNewPassword } from './passwords.ts'

/** Without the letters and digits that people mistake for each other. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP_LENGTH = 4

/**
 * Makes an administrator where there is none. Answers the password made here, to be shown once; null when one was
 * given or there is an administrator already. Raises the faults of `checkNewPassword` for a given one.
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

/** Sixteen characters in four groups: 79 bits, and still to be typed from a screen. */
function makePassword(): string {
  const makeGroup = () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')
  return Array.from({ length: GROUPS }, makeGroup).join('-')
}
