// What routes of /api share: who asks, a limit on what they send, and how it is read.
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { cleanText } from '#domain/clean-text.ts'
import { PortalError } from '#domain/errors.ts'
import { statedBytes } from '#server/request-bytes.ts'
import type { Claims } from '#server/db/as-user.ts'

/** In a route's path. */
export const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

/** Who asks, at the least. */
export type Asking = { accountId: string; claims: Claims }
/** Routes whose handlers know who asks. */
export type Signed<Member extends Asking = Asking> = { Variables: { member: Member; claims: Claims } }

/**
 * Lets members in, and nothing of their answers is kept by anybody. Stands before whatever reads the body: a stranger's
 * is never read. Raises what `memberOf` raises.
 */
export const signedIn = <Member extends Asking>(memberOf: (request: Request) => Promise<Member>) =>
  createMiddleware<Signed<Member>>(async (context, next) => {
    const member = await memberOf(context.req.raw)
    context.set('member', member)
    context.set('claims', member.claims)
    await next()
    context.res.headers.set('cache-control', 'no-store')
  })

/** As `signedIn`, for administrators alone. Raises `access.denied`. */
export const signedInAdmin = <Member extends Asking & { role: 'admin' | 'broker' }>(
  memberOf: (request: Request) => Promise<Member>,
) =>
  signedIn(async (request) => {
    const member = await memberOf(request)
    if (member.role !== 'admin')
      throw new PortalError('access.denied', 'Somente um administrador pode fazer isto.', { status: 403 })
    return member
  })

export const requestTooLarge = () =>
  new PortalError('request.too-large', 'O pedido é grande demais.', { status: 413 })

/** Raises `request.too-large`, or what `refuse` makes. */
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

/** The body's JSON, its texts as the database takes them; null when it is none, which no schema takes. */
export const jsonOf = (context: Context): Promise<unknown> => context.req.text().then(parseJson, () => null)

/** A form of two fields: `message`, JSON, and `file`. Raises `request.invalid`. */
export async function formOf(context: Context): Promise<{ message: unknown; bytes: Uint8Array }> {
  const form = await context.req.formData().catch(() => null)
  const file = form?.get('file')
  const message = form?.get('message')
  if (!(file instanceof Blob) || typeof message !== 'string')
    throw new PortalError('request.invalid', 'O pedido não pôde ser lido.', { status: 422 })
  return { message: parseJson(message), bytes: new Uint8Array(await file.arrayBuffer()) }
}

/** A NUL, or half of a letter. */
const UNFIT = /\\u(0000|d[89a-f])/i
const clean = (_: string, value: unknown) => (typeof value === 'string' ? cleanText(value) : value)

/** JSON, its texts as the database takes them; null when it is none. */
export function parseJson(text: string): unknown {
  try {
    return UNFIT.test(text) ? JSON.parse(text, clean) : JSON.parse(text)
  } catch {
    return null
  }
}
