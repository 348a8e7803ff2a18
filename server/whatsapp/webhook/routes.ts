// POST /webhook/:instance/:secret: stores a delivery, answers, then applies it.
import { Hono, type Context } from 'hono'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import type { DeliveriesOf, DeliveryReader, FoundRecords } from '#server/delivery.ts'
import type { Gateway, GatewayKind } from '#server/gateway.ts'
import { errorFields, type Log } from '#server/log.ts'
import { statedBytes } from '#server/request-bytes.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { createApplier } from './applier.ts'
import type { AppliedEvent } from './apply.ts'
import { readBody, type BodyLimits } from './body.ts'
import { createByteBudget, type Budget } from './byte-budget.ts'
import { createHandover } from './handover.ts'
import { countDeliveries } from './inbox.ts'
import { applyRecords } from './records.ts'
import { createSecretCheck } from './secret.ts'
import { createSignatureCheck } from './signature.ts'
import { createTaking, type Taken } from './take.ts'

export type WebhookOptions = {
  db: Database
  log: Log
  clock: Clock
  storage: MediaStore
  deliveriesOf: DeliveriesOf
  /** Fetches files of which a delivery has only the address. */
  gateway?: Pick<Gateway, 'fetchFile'> | null
  /** The portal calls it with each applied event, after the commit. */
  onEvent?: (applied: AppliedEvent) => void
  /** Counts the results of accepted deliveries, and the time until they were applied. */
  tally?: { delivered: (outcome: Taken) => void; applied: (lagMs: number) => void }
  limits?: Budgets
  sizes?: BodyLimits | undefined
}

/** Small deliveries are texts, and do not wait behind files. */
type Budgets = { small: Budget; large: Budget }

const MB = 1024 * 1024
const SIZES: BodyLimits = { plainBytes: MB / 4, stringBytes: MB, fileBytes: 48 * MB, textBytes: 8 * MB }
/** The gateway waits 30 s for an answer, then it sends again. */
const WAIT = { waiting: 1_000, waitMs: 20_000 }
const LIMITS: Budgets = {
  small: { requests: 1_000, bytes: 8 * MB, ...WAIT },
  large: { requests: 16, bytes: 48 * MB, ...WAIT },
}
const POLL_EVERY_MS = 10_000
const RETRY_AFTER_SECONDS = '5'
const UNKNOWN = { code: 'webhook.unknown', message: 'Este endereço de webhook não vale.' }
const TOO_LARGE = { code: 'webhook.too-large', message: 'O evento é grande demais.' }

/** The routes for /webhook, the worker behind them, and the entrance for records of a sweep. */
export function createWebhook({ db, log, clock, storage, gateway = null, ...options }: WebhookOptions) {
  const kindOf = createSecretCheck(db, clock)
  const { small, large } = options.limits ?? LIMITS
  const budgets = { small: createByteBudget(small, clock), large: createByteBudget(large, clock) }
  const onEvent = options.onEvent ?? (() => undefined)
  const { tally, deliveriesOf, sizes = SIZES } = options
  const handover = createHandover(clock)
  const applier = createApplier({
    db,
    deliveriesOf,
    handover,
    log,
    clock,
    onEvent,
    onApplied: (lagMs) => tally?.applied(lagMs),
  })

  const take = createTaking({ db, log, clock, storage, gateway, handover, wake: applier.wake })

  const routes = new Hono<{ Variables: { kind: GatewayKind; reader: DeliveryReader } }>()
  // The address contains the secret, so errors must not reach the portal's error handler, which logs paths.
  routes.onError((error, context) => {
    log.error('webhook.failed', { instance: context.req.param('instance') ?? null, ...errorFields(error) })
    return tooBusy(context)
  })
  routes.post(
    '/:instance/:secret/:event?',
    async (context, next) => {
      const { instance, secret } = context.req.param()
      const kind = await kindOf(instance, secret)
      const reader = kind === null ? null : deliveriesOf(kind)
      if (kind === null || reader === null) return refuse(context, 401, UNKNOWN)
      context.set('kind', kind)
      context.set('reader', reader)
      const stated = statedBytes(context.req.raw) ?? Infinity
      const leave =
        stated <= sizes.plainBytes
          ? await budgets.small.enter(stated)
          : await budgets.large.enter(Math.min(stated, sizes.fileBytes))
      return leave ? next().finally(leave) : tooBusy(context)
    },
    async (context) => {
      const { kind, reader } = context.var
      const { instance: instanceName, secret } = context.req.param()
      const { headers } = context.req.raw
      const signature = createSignatureCheck(reader.signature, { secret, headers })
      const sent = await readBody(context.req.raw, sizes, signature.add)
      if (!signature.isValid()) return refuse(context, 401, UNKNOWN)
      // Not 413, after which the gateway would send the whole delivery again.
      if (sent === null) return refuse(context, 422, TOO_LARGE)
      const status = await take({ instanceName, kind, reader }, sent)
      tally?.delivered(status)
      return context.json({ status }, 200, { 'cache-control': 'no-store' })
    },
  )

  return {
    routes,
    /** Applies deliveries that a crash left, then new ones. Returns the function that stops after the current group. */
    start: (): (() => Promise<void>) => {
      applier.wake()
      // Another process may have stored deliveries and crashed before applying them.
      const stop = clock.every(POLL_EVERY_MS, applier.wake)
      return () => {
        stop()
        applier.stop()
        return applier.drained()
      }
    },
    /** Resolves when everything stored so far is applied. */
    drained: applier.drained,
    /** Applies records of findMessages through the path of webhooks; returns how many messages were new. */
    ingestRecords: (found: FoundRecords): Promise<number> => applyRecords({ db, deliveriesOf }, found),
    /** Deliveries not yet applied, and failed ones, for health. */
    counts: () => countDeliveries(db),
  }
}

const refuse = (context: Context, status: 401 | 422, error: { code: string; message: string }) =>
  context.json({ error }, status, { 'cache-control': 'no-store' })

function tooBusy(context: Context) {
  const error = { code: 'webhook.busy', message: 'O portal está ocupado; o evento deve ser reenviado.' }
  return context.json({ error }, 503, { 'cache-control': 'no-store', 'retry-after': RETRY_AFTER_SECONDS })
}
