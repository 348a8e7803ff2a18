// /api/leads/keys: who may bring leads in, for administrators alone; a key is shown once.
import { Hono } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import { instant } from '#server/db/instant.ts'
import { jsonOf, limitBody, signedInAdmin, UUID, type Member, type Signed } from '#server/http/requests.ts'
import type { createKeyStore } from './intake-store.ts'
import { createKeys, hashKey } from './keys.ts'
import { REPORTED } from './new-lead.ts'
import { tryOut } from './key-test.ts'
import { KINDS, SOURCES, type KeyKind } from './sources.ts'

const MAX_BODY_BYTES = 32 * 1024

const word = (most: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(most))
const optional = (most: number) => v.optional(word(most))
const path = v.optional(v.pipe(v.string(), v.regex(/^[^.]{1,60}(\.[^.]{1,60}){0,5}$/)))

/** The origin of a web page, in the form of a browser's Origin header. */
const page = v.pipe(
  v.string(),
  v.trim(),
  v.toLowerCase(),
  v.regex(/^https?:\/\/[a-z0-9.-]{1,253}(:\d{1,5})?$/),
)
const Mapping = v.object(Object.fromEntries(REPORTED.map((what) => [what, path])))
const Settings = v.object({
  source: optional(60),
  campaign: optional(200),
  development: optional(120),
  mapping: v.optional(Mapping),
  origins: v.optional(v.pipe(v.array(page), v.maxLength(20))),
  developmentByForm: v.optional(v.record(v.pipe(v.string(), v.regex(/^\d{1,40}$/)), word(120))),
})
const NewKey = v.object({
  operationId: v.pipe(v.string(), v.uuid()),
  kind: v.picklist(KINDS),
  name: word(80),
  perMinute: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(6_000)), 120),
  settings: v.optional(Settings, {}),
  secrets: v.optional(
    v.object({ appSecret: optional(200), verifyToken: optional(200), pageToken: optional(1_000) }),
    {},
  ),
})
/** Changes the settings that are named; null removes one. */
const Change = v.object({
  isOn: v.optional(v.boolean()),
  settings: v.optional(
    v.object({
      development: v.nullish(word(120)),
      mapping: v.nullish(Mapping),
      origins: v.nullish(Settings.entries.origins.wrapped),
      /** True: leads that come in from now on get a plan when they fall silent. */
      startsPlans: v.optional(v.boolean()),
    }),
  ),
})
/** All kinds of sources, as screens show them. */
const PRESETS = KINDS.map((kind) => ({ kind, ...SOURCES[kind].preset }))
const Swap = v.object({ operationId: v.pipe(v.string(), v.uuid()) })

/** If a rule is switched on, it applies to leads that come in from then on. */
const toStored = (
  { startsPlans, ...settings }: NonNullable<v.InferOutput<typeof Change>['settings']>,
  nowMs: number,
) => ({
  ...settings,
  ...(startsPlans !== undefined && { plansSince: startsPlans ? instant(nowMs) : null }),
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
  routes.get('/', async (context) =>
    context.json({ keys: await store.list(context.var.claims), kinds: PRESETS }),
  )
  // Answers {id, key}. For Meta also `path`, which an administrator enters in Meta's app as the callback.
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
    return context.json(addressOf({ id, key, kind: made.kind }))
  })
  // Shows a key's address again. Raises 409 for an older key, and if JWT_SECRET has changed since.
  routes.get(`/:id{${UUID}}/address`, async (context) => {
    const id = context.req.param('id')
    const { kind, madeBy, madeIn, hash } = await store.origin(context.var.claims, id)
    const key = madeBy !== null && madeIn !== null ? keyOf({ accountId: madeBy, operationId: madeIn }) : ''
    if (Buffer.from(hashKey(key)).toString('hex') !== hash)
      throw new PortalError(
        'intake-key.shown-once',
        'Este endereço só apareceu uma vez. Troque a chave para ter outro.',
        {
          status: 409,
        },
      )
    return context.json(addressOf({ id, key, kind }))
  })
  routes.post(`/:id{${UUID}}/swap`, async (context) => {
    const { operationId } = parsed(Swap, await jsonOf(context))
    const { accountId, claims } = context.var.member
    const id = context.req.param('id')
    const key = keyOf({ accountId, operationId })
    await store.swap(claims, { id, operationId, hash: hashKey(key), nowMs: clock.now() })
    return context.json({ id })
  })
  routes.patch(`/:id{${UUID}}`, async (context) => {
    const { settings, ...rest } = parsed(Change, await jsonOf(context))
    const change = { ...rest, ...(settings && { settings: toStored(settings, clock.now()) }) }
    return context.json(
      await store.change(context.var.claims, context.req.param('id'), { change, nowMs: clock.now() }),
    )
  })
  // Answers {told, roleta}: what the portal read from the source's own example, and which rotation would get such a
  // lead. Creates no lead.
  routes.post(`/:id{${UUID}}/test`, async (context) =>
    context.json(
      tryOut(await store.test(context.var.claims, context.req.param('id'), clock.now()), clock.now()),
    ),
  )
  routes.post(`/:id{${UUID}}/revoke`, async (context) =>
    context.json(await store.revoke(context.var.claims, context.req.param('id'), clock.now())),
  )
  return routes
}

/** The key is part of the address, because few sources can send a header. Meta signs its deliveries instead. */
const addressOf = ({ id, key, kind }: { id: string; key: string; kind: KeyKind }) => ({
  id,
  key,
  path: kind === 'meta' ? `/api/leads/meta/${id}` : `/api/leads?key=${key}`,
})

/** Raises `request.invalid`. */
function parsed<Schema extends v.GenericSchema>(schema: Schema, body: unknown): v.InferOutput<Schema> {
  const read = v.safeParse(schema, body)
  if (!read.success) throw new PortalError('request.invalid', 'Confira os campos da fonte.', { status: 422 })
  return read.output
}
