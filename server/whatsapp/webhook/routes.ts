// POST /webhook/:instance/:secret: stores a delivery, answers, then applies it.
import { Hono, type Context } from 'hono'
import { cleanText } from '#domain/clean-text.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import { statedBytes } from '#server/request-bytes.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { createApplier } from './applier.ts'
import type { AppliedEvent } from './apply.ts'
import { readBody, type Body, type BodyLimits } from './body.ts'
import { createByteBudget, type Budget } from './byte-budget.ts'
import { countDeliveries, createInbox, setAside } from './inbox.ts'
import { detachMedia } from './delivery-media.ts'
import { isDeeperThan } from './nesting.ts'
import { readDelivery } from './payload.ts'
import { leavePrivateOut } from './private-door.ts'
import { applyRecords, type Found } from './records.ts'
import { createSecretCheck } from './secret.ts'

type Taken = 'stored' | 'ignored' | 'set-aside'

export type WebhookOptions = {
  db: Database
  log: Log
  clock: Clock
  storage: MediaStore
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
/** No delivery of the gateway is nested half as deep; readers and writers of JSON call themselves for each level. */
const MAX_DEPTH = 200
const POLL_EVERY_MS = 10_000
const RETRY_AFTER_SECONDS = '5'
const UNKNOWN = { code: 'webhook.unknown', message: 'Este endereço de webhook não vale.' }
const TOO_LARGE = { code: 'webhook.too-large', message: 'O evento é grande demais.' }

/** The routes for /webhook, the worker behind them, and the entrance for records of a sweep. */
export function createWebhook({ db, log, clock, storage, ...options }: WebhookOptions) {
  const isKnown = createSecretCheck(db, clock)
  const inbox = createInbox(db)
  const { small, large } = options.limits ?? LIMITS
  const budgets = { small: createByteBudget(small, clock), large: createByteBudget(large, clock) }
  const onEvent = options.onEvent ?? (() => undefined)
  const { tally, sizes = SIZES } = options
  const applier = createApplier({
    db,
    log,
    clock,
    onEvent: onEvent,
    onApplied: (lagMs) => tally?.applied(lagMs),
  })

  async function take(instanceName: string, { text: sent, files }: Body): Promise<Taken> {
    const receivedAtMs = clock.now()
    const isTooDeep = isDeeperThan(MAX_DEPTH, sent)
    const body = isTooDeep ? null : parse(sent)
    const reading = isTooDeep
      ? ({ ok: false, reason: 'too-deep' } as const)
      : readDelivery(body, receivedAtMs)
    if (!reading.ok) {
      log.warn('webhook.no-event', { instance: instanceName, length: sent.length })
      await setAside(db.query, { instanceName, body: cleanText(sent), receivedAtMs, reason: reading.reason })
      return 'set-aside'
    }
    if (reading.events.length === 0) return 'ignored'
    const jids = await leavePrivateOut(db.query, instanceName, body)
    if (jids === null) return 'ignored'
    await detachMedia(body, files, storage)
    await inbox.store({ instanceName, body: JSON.stringify(body), receivedAtMs, jids })
    applier.wake(instanceName)
    return 'stored'
  }

  const routes = new Hono()
  // The address contains the secret, so errors must not reach the portal's error handler, which logs paths.
  routes.onError((error, context) => {
    log.error('webhook.failed', { instance: context.req.param('instance') ?? null, ...errorFields(error) })
    return tooBusy(context)
  })
  routes.post(
    '/:instance/:secret/:event?',
    async (context, next) => {
      const { instance, secret } = context.req.param()
      if (!(await isKnown(instance, secret))) return refuse(context, 401, UNKNOWN)
      const stated = statedBytes(context.req.raw) ?? Infinity
      const leave =
        stated <= sizes.plainBytes
          ? await budgets.small.enter(stated)
          : await budgets.large.enter(Math.min(stated, sizes.fileBytes))
      return leave ? next().finally(leave) : tooBusy(context)
    },
    async (context) => {
      const sent = await readBody(context.req.raw, sizes)
      // Not 413, after which the gateway would send the whole delivery again.
      if (sent === null) return refuse(context, 422, TOO_LARGE)
      const status = await take(context.req.param('instance'), sent)
      tally?.delivered(status)
      return context.json({ status }, 200, { 'cache-control': 'no-store' })
    },
  )

  return {
    routes,
    /** Applies what a crash left, then runs; returns the function that stops after the current group. */
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
    ingestRecords: (found: Found): Promise<number> => applyRecords(db, found),
    /** Deliveries not yet applied, and failed ones, for health. */
    counts: () => countDeliveries(db),
  }
}

function parse(sent: string): unknown {
  try {
    return JSON.parse(sent)
  } catch {
    return null
  }
}

const refuse = (context: Context, status: 401 | 422, error: { code: string; message: string }) =>
  context.json({ error }, status, { 'cache-control': 'no-store' })

function tooBusy(context: Context) {
  const error = { code: 'webhook.busy', message: 'O portal está ocupado; o evento deve ser reenviado.' }
  return context.json({ error }, 503, { 'cache-control': 'no-store', 'retry-after': RETRY_AFTER_SECONDS })
}
