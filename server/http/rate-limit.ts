// Rate limits of expensive requests, by account. The database counts, so that restarts and several portals
// share one count; sign-in has its own rules (auth/throttle.ts).
import type { MiddlewareHandler } from 'hono'
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import type { Signed } from './requests.ts'

/** Rows of portal.throttle_rules: uploads, exports, gateway calls, calls of the model. */
export type RateLimitKind = 'upload' | 'export' | 'errand' | 'assist'
/**
 * Counts a request of a signed-in person; used after `signedIn`. Raises `request.too-often` (429,
 * Retry-After).
 */
export type RateLimit = (kind: RateLimitKind) => MiddlewareHandler<Signed>

export const createRateLimit =
  (db: Database, clock: Clock): RateLimit =>
  (kind) =>
  async (context, next) => {
    const { accountId } = context.var.member
    const moment = new Date(clock.now()).toISOString()
    const waitSeconds = await waitOf(db, 'portal.charge_attempt(array[$1], array[$2], $3)', [
      kind,
      accountId,
      moment,
    ])
    if (waitSeconds === 0) return next()
    context.header('retry-after', String(waitSeconds))
    throw new PortalError('request.too-often', throttledText(waitSeconds), { status: 429 })
  }

/** Answer of a charging function: 0, or the seconds to wait. */
export async function waitOf(db: Database, charge: string, values: readonly string[]): Promise<number> {
  const { rows } = await db.query<{ wait_seconds: number }>(`select ${charge} as wait_seconds`, values)
  return rows[0]?.wait_seconds ?? 0
}

/** 'Muitas tentativas. Tente de novo em 2 minutos.' */
export function throttledText(waitSeconds: number): string {
  const minutes = Math.ceil(waitSeconds / 60)
  const span =
    waitSeconds < 60
      ? `${waitSeconds} ${waitSeconds === 1 ? 'segundo' : 'segundos'}`
      : `${minutes} ${minutes === 1 ? 'minuto' : 'minutos'}`
  return `Muitas tentativas. Tente de novo em ${span}.`
}
