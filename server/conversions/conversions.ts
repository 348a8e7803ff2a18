// Composes what sends conversions to Meta: the route that stores a token, and the worker.
import { Hono } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import type { Role } from '#domain/session.ts'
import type { Clock } from '#server/clock.ts'
import { onBehalf, type Claims } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import { jsonOf, limitBody, signedInAdmin, type Signed } from '#server/http/requests.ts'
import type { Log } from '#server/log.ts'
import { createSecretBox } from '#server/secret-box.ts'
import { createSendConversion, type SendConversion } from './meta.ts'
import { createConversionWorker } from './worker.ts'

const MAX_BODY_BYTES = 4 * 1024
const TAIL = 4

type Member = { role: Role; accountId: string; username: string; claims: Claims }

type ConversionOptions = {
  db: Database
  clock: Clock
  log: Log
  /** Encrypts the tokens. */
  jwtSecret: string
  /** Meta's Graph API. */
  graphUrl: string
  memberOf: (request: Request) => Promise<Member>
  /** Undefined: conversions go to `graphUrl`. Tests pass a function of their own. */
  send?: SendConversion | undefined
}

const Token = v.object({
  target: v.picklist(['messaging', 'crm']),
  token: v.pipe(v.string(), v.trim(), v.regex(/^[\w.|~+/=-]{20,1000}$/)),
})

export function createConversions({
  db,
  clock,
  log,
  jwtSecret,
  graphUrl,
  memberOf,
  send,
}: ConversionOptions) {
  const box = createSecretBox(jwtSecret, 'tokens of conversions')
  const decrypt = (encrypted: string) => {
    const opened = box.decrypt(Buffer.from(encrypted, 'base64url'))
    return opened === null ? null : Buffer.from(opened).toString()
  }
  const routes = new Hono<Signed<Member>>()
  routes.use(signedInAdmin(memberOf), limitBody(MAX_BODY_BYTES))
  routes.post('/token', async (context) => {
    const body = v.safeParse(Token, await jsonOf(context))
    if (!body.success)
      throw new PortalError('conversion.token', 'Cole o token de acesso como a Meta o mostra.', {
        status: 422,
      })
    const { target, token } = body.output
    const encrypted = Buffer.from(box.encrypt(Buffer.from(token))).toString('base64url')
    await onBehalf(db, context.var.claims, (query) =>
      query('select portal.set_conversion_token($1, $2, $3)', [target, encrypted, token.slice(-TAIL)]),
    )
    return context.json({ tokenTail: token.slice(-TAIL) })
  })
  return {
    /** For /api/conversions. */
    routes,
    /** Starts the worker; the returned function stops it. */
    start: () =>
      createConversionWorker({
        db,
        clock,
        log,
        send: send ?? createSendConversion(graphUrl, clock),
        decrypt,
      }).start(),
  }
}
