// The parts that the sign-in routes need.
import type { Clock } from '#server/clock.ts'
import type { Log } from '#server/log.ts'
import type { Accounts } from './accounts/accounts.ts'
import type { FactorStore } from './factors/store.ts'
import type { Passwords } from './accounts/passwords.ts'
import type { ExchangeToken } from './tokens/refresh-exchange.ts'
import type { SessionStore } from './session-store.ts'
import type { PasswordStep } from './sign-in.ts'
import type { Throttle } from './throttle.ts'
import type { Tokens } from './tokens/token.ts'

export type AuthParts = {
  clock: Clock
  log: Log
  exchange: ExchangeToken
  factors: FactorStore
  accounts: Accounts
  passwords: Passwords
  sessions: SessionStore
  throttle: Throttle
  tokens: Tokens
  tryPassword: PasswordStep
  firstAccess: 'open' | 'invite'
  /** True: the portal has a PUBLIC_URL, so a proxy in front of it may report the client's address. */
  hasPublicUrl: boolean
}
