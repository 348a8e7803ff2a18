// Authenticates requests of all /api routes, limits their size and parses their bodies.
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { cleanText } from '#domain/clean-text.ts'
import { PortalError } from '#domain/errors.ts'
import type { Role } from '#domain/session.ts'
import { statedBytes } from '#server/request-bytes.ts'
import type { Claims } from '#server/db/as-user.ts'

/** A pattern for the paths of routes. */
export const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

/** The caller, as far as every route needs it. */
export type Asking = { accountId: string; claims: Claims }
/** The caller with the role of the account. */
export type Member = Asking & { role: Role }
/** Routes whose handlers know the caller. */
export type Signed<Asker extends Asking = Asking> = { Variables: { member: Asker; claims: Claims } }

/**
 * Requires a signed-in caller, and forbids caching of answers. Used before the body is read, so that a
 * stranger's body never is. Raises the errors of `memberOf`.
 */
export const signedIn = <Asker extends Asking>(memberOf: (request: Request) => Promise<Asker>) =>
  createMiddleware<Signed<Asker>>(async (context, next) => {
    const member = await memberOf(context.req.raw)
    context.set('member', member)
    context.set('claims', member.claims)
    await next()
    context.res.headers.set('cache-control', 'no-store')
  })

/** Requires a signed-in administrator, as `signedIn` does. Raises `access.denied` for others. */
export const signedInAdmin = <Asker extends Member>(memberOf: (request: Request) => Promise<Asker>) =>
  signedIn(async (request) => {
    const member = await memberOf(request)
    if (member.role !== 'admin')
      throw new PortalError('access.denied', 'Somente um administrador pode fazer isto.', { status: 403 })
    return member
  })

/** Requires an administrator or somebody who leads a team. Raises `access.denied` for others. */
export const signedInLeader = <Asker extends Member & { leadsTeam: boolean }>(
  memberOf: (request: Request) => Promise<Asker>,
) =>
  signedIn(async (request) => {
    const member = await memberOf(request)
    if (member.role !== 'admin' && !member.leadsTeam) throw leadersOnly()
    return member
  })

const leadersOnly = () =>
  new PortalError('access.denied', 'Somente um administrador ou um gerente pode fazer isto.', { status: 403 })

/** Requires an account of the panel, which brokers do not have. Raises `access.denied` for others. */
export const signedInAtPanel = <Asker extends Member>(memberOf: (request: Request) => Promise<Asker>) =>
  signedIn(async (request) => {
    const member = await memberOf(request)
    if (member.role === 'broker') throw leadersOnly()
    return member
  })

export const requestTooLarge = () =>
  new PortalError('request.too-large', 'O pedido é grande demais.', { status: 413 })

/** Raises `request.too-large`, or the error of `refuse`. */
export function limitBody(maxSize: number, refuse: () => PortalError = requestTooLarge): MiddlewareHandler {
  const countPieces = bodyLimit({
    maxSize,
    onError: () => {
      throw refuse()
    },
  })
  return async (context, next) => {
    const stated = statedBytes(context.req.raw)
    if (stated === null && !WITHOUT_BODY.includes(context.req.method)) return countPieces(context, next)
    if (stated !== null && stated > maxSize) throw refuse()
    await next()
  }
}

const WITHOUT_BODY = ['GET', 'HEAD']

/** The body's JSON with cleaned texts; null for invalid JSON, which every schema refuses. */
export const jsonOf = (context: Context): Promise<unknown> => context.req.text().then(parseJson, () => null)

/** A form with `message` (JSON) and `file`. Raises `request.invalid`. */
export async function formOf(context: Context): Promise<{ message: unknown; bytes: Uint8Array }> {
  const form = await context.req.formData().catch(() => null)
  const file = form?.get('file')
  const message = form?.get('message')
  if (!(file instanceof Blob) || typeof message !== 'string')
    throw new PortalError('request.invalid', 'O pedido não pôde ser lido.', { status: 422 })
  return { message: parseJson(message), bytes: new Uint8Array(await file.arrayBuffer()) }
}

/** NUL, or an unpaired surrogate. */
const UNFIT = /\\u(0000|d[89a-f])/i
const clean = (_: string, value: unknown) => (typeof value === 'string' ? cleanText(value) : value)

/** JSON with cleaned texts; null if invalid. */
export function parseJson(text: string): unknown {
  try {
    return UNFIT.test(text) ? JSON.parse(text, clean) : JSON.parse(text)
  } catch {
    return null
  }
}
