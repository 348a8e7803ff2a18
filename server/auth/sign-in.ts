// The password step: throttled, the same work for every name, one answer for every fault.
import { fromLoginEmail } from '#domain/session.ts'
import type { Account, Accounts } from './accounts/accounts.ts'
import type { Passwords } from './accounts/passwords.ts'
import { countedAs, type Throttle } from './throttle.ts'

export type Attempt = { email: string; password: string; address: string }

export type PasswordOutcome =
  | { outcome: 'right'; account: Account; passwordHash: string }
  | { outcome: 'wrong' }
  | { outcome: 'throttled'; waitSeconds: number }

export type PasswordStep = (attempt: Attempt) => Promise<PasswordOutcome>

export function createPasswordStep(parts: {
  accounts: Accounts
  passwords: Passwords
  throttle: Throttle
}): PasswordStep {
  const { accounts, passwords, throttle } = parts
  return async ({ email, password, address }) => {
    const login = fromLoginEmail(email)
    const counted = { account: countedAs(login), address }
    const waitSeconds = await throttle.chargeSignIn(counted)
    if (waitSeconds > 0) return { outcome: 'throttled', waitSeconds }

    const { account, passwordHash } = await accounts.findCandidate(login)
    const isRight = await passwords.verify(password, passwordHash)
    if (!isRight || account === null) return { outcome: 'wrong' }
    await throttle.forgiveSignIn(counted)
    return { outcome: 'right', account, passwordHash }
  }
}
