// /api/leads/keys: who may bring leads in, for administrators alone; a key is shown once.
import { createHmac, hkdfSync } from 'node:crypto'
import { Hono } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import type { Claims } from '#server/db/as-user.ts'
import { jsonOf, limitBody, signedInAdmin, UUID, type Signed } from '#server/http/requests.ts'
import { hashKey, type createKeyStore } from './intake-store.ts'
import { KINDS } from './sources.ts'

type Member = { role: 'admin' | 'broker'; accountId: string; claims: Claims }

const MAX_BODY_BYTES = 32 * 1024
const SECRET_BYTES = 32
const PREFIX = 'pc_'

const word = (most: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(most))
const optional = (most: number) => v.optional(word(most))
const path = v.optional(v.pipe(v.string(), v.regex(/^[^.]{1,60}(\.[^.]{1,60}){0,5}$/)))

const NewKey = v.object({
  operationId: v.pipe(v.string(), v.uuid()),
  kind: v.picklist(KINDS),
  name: word(80),
  perMinute: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(6_000)), 120),
  settings: v.optional(
    v.object({
      source: optional(60),
      campaign: optional(200),
      development: optional(120),
      mapping: v.optional(
        v.object({
          name: path,
          number: path,
          email: path,
          listing: path,
          source: path,
          campaign: path,
          development: path,
          message: path,
          externalId: path,
          consentAt: path,
          consent: path,
          consentText: path,
        }),
      ),
      developmentByForm: v.optional(v.record(v.pipe(v.string(), v.regex(/^\d{1,40}$/)), word(120))),
    }),
    {},
  ),
  secrets: v.optional(
    v.object({ appSecret: optional(200), verifyToken: optional(200), pageToken: optional(1_000) }),
    {},
  ),
})

type Parts = {
  clock: Clock
  jwtSecret: string
  store: ReturnType<typeof createKeyStore>
  memberOf: (request: Request) => Promise<Member>
}

export function createKeyRoutes({ clock, jwtSecret, store, memberOf }: Parts): Hono<Signed<Member>> {
  const keyOf = createKeys(jwtSecret)
  const routes = new Hono<Signed<Member>>()
  routes.use(signedInAdmin(memberOf), limitBody(MAX_BODY_BYTES))
  routes.get('/', async (context) => context.json({ keys: await store.list(context.var.claims) }))
  // {id, key}; of Meta {id, key, path}: what its app is told as callback. A connector posts with the key.
  routes.post('/', async (context) => {
    const read = v.safeParse(NewKey, await jsonOf(context))
    if (!read.success)
      throw new PortalError('request.invalid', 'Dê um nome à chave e confira os campos.', { status: 422 })
    const { operationId, ...made } = read.output
    if (
      made.kind === 'meta' &&
      (made.secrets.appSecret === undefined || made.secrets.verifyToken === undefined)
    )
      throw new PortalError(
        'intake-key.no-secret',
        'Informe a chave secreta do app e o token de verificação da Meta.',
        {
          status: 422,
        },
      )
    const { accountId, claims } = context.var.member
    const key = keyOf({ accountId, operationId })
    const { id } = await store.add(claims, { operationId, key: made, hash: hashKey(key), nowMs: clock.now() })
    return context.json({ id, key, ...(made.kind === 'meta' && { path: `/api/leads/meta/${id}` }) })
  })
  routes.post(`/:id{${UUID}}/revoke`, async (context) =>
    context.json(await store.revoke(context.var.claims, context.req.param('id'), clock.now())),
  )
  return routes
}

/** The same operation gets the same key, so that a repeat whose first answer was lost shows the one that holds. */
function createKeys(jwtSecret: string) {
  const secret = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'portal intake key', SECRET_BYTES))
  return ({ accountId, operationId }: { accountId: string; operationId: string }) =>
    PREFIX + createHmac('sha256', secret).update(`${accountId} ${operationId}`).digest('base64url')
}
