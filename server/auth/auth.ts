// Composes the auth module: both sign-in protocols, the caller's identity, the first administrator, the
// maintenance.
import type { Hono } from 'hono'
import type { Database } from '#server/db/database.ts'
import { createAccountRoutes } from './accounts/routes.ts'
import { createAccounts } from './accounts/accounts.ts'
import type { Signed } from '#server/http/requests.ts'
import { createSecretBox } from '#server/secret-box.ts'
import type { AuthParts } from './auth-parts.ts'
import type { Bindings } from './client-address.ts'
import { ensureFirstAdmin } from './accounts/first-admin.ts'
import { createFactorStore } from './factors/store.ts'
import { createGotrueRoutes } from './gotrue/routes.ts'
import { createLoginRoutes } from './login-routes.ts'
import { bcryptPasswords, type Passwords } from './accounts/passwords.ts'
import { memberOf, type Member } from './accounts/member.ts'
import { principalOf, type Principal } from './principal.ts'
import { createExchange } from './tokens/refresh-exchange.ts'
import { createSessionStore } from './session-store.ts'
import { createPasswordStep } from './sign-in.ts'
import { createThrottle } from './throttle.ts'
import { createTokenRoutes } from './tokens/routes.ts'
import { createTokens } from './tokens/token.ts'
import { startMaintenance } from './maintenance.ts'

type AuthOptions = Pick<AuthParts, 'clock' | 'log' | 'firstAccess' | 'hasPublicUrl'> & {
  db: Database
  jwtSecret: string
  /** Hashes and checks passwords, with bcrypt by default. Tests pass one that counts its work. */
  passwords?: Passwords
}

export type Auth = {
  /** Routes for /auth/v1, in GoTrue's protocol. */
  gotrue: Hono<{ Bindings: Bindings }>
  /** Routes for /api/login. They throw PortalErrors, which the portal's error handler answers. */
  login: Hono<{ Bindings: Bindings }>
  /** Routes for /api/admins and /api/account. */
  account: Hono<Signed<Member>>
  /** Routes for /api/service-tokens. */
  serviceTokens: Hono<Signed<Member>>
  /** The caller of a request. Throws TokenError for an invalid bearer token. */
  principalOf: (request: Request) => Promise<Principal>
  /** The signed-in person of a request. Raises PortalError `session.lost` without one. */
  memberOf: (request: Request) => Promise<Member>
  /** Returns true if the session belongs to the account and is neither ended nor expired. */
  isAlive: (session: { sessionId: string; accountId: string }) => Promise<boolean>
  /** Which of these sessions are live and have finished the second step of signing in. */
  living: (sessionIds: readonly string[]) => Promise<ReadonlySet<string>>
  ensureFirstAdmin(
    username: string,
    password?: string,
  ): Promise<{ username: string; password: string } | null>
  /** Starts the hourly maintenance; the returned function stops it. */
  maintenance(): () => void
}

export function createAuth({ db, jwtSecret, passwords = bcryptPasswords, ...options }: AuthOptions): Auth {
  const { clock } = options
  const accounts = createAccounts(db, clock)
  const throttle = createThrottle(db, clock)
  const tokens = createTokens(jwtSecret, clock)
  const parts: AuthParts = {
    ...options,
    accounts,
    passwords,
    throttle,
    tokens,
    sessions: createSessionStore(db, clock),
    exchange: createExchange({ db, clock, jwtSecret }),
    factors: createFactorStore({
      db,
      clock,
      secretBox: createSecretBox(jwtSecret, 'portal authenticator secret'),
    }),
    tryPassword: createPasswordStep({ accounts, passwords, throttle }),
  }
  return {
    gotrue: createGotrueRoutes(parts),
    login: createLoginRoutes(parts),
    account: createAccountRoutes({ db, clock, jwtSecret, memberOf: (request) => memberOf(request, parts) }),
    serviceTokens: createTokenRoutes({
      db,
      clock,
      tokens,
      memberOf: (request) => memberOf(request, parts),
    }),
    principalOf: (request) => principalOf(request, tokens),
    memberOf: (request) => memberOf(request, parts),
    isAlive: async ({ sessionId, accountId }) =>
      (await parts.sessions.find({ session_id: sessionId, sub: accountId })) !== null,
    living: (sessionIds) => parts.sessions.findLiving(sessionIds),
    ensureFirstAdmin: (username, password) => ensureFirstAdmin(parts, username, password),
    maintenance: () => startMaintenance(parts),
  }
}
