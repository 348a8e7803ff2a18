// POST /api/leads with a key: stores the body, makes the lead at once if that is fast, and answers.
import { Hono, type Context, type MiddlewareHandler } from 'hono'
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import { limitBody, requestTooLarge } from '#server/http/requests.ts'
import { errorFields, type Log } from '#server/log.ts'
import { hashKey } from './keys.ts'
import { tooMany } from './meta/routes.ts'
import type { UnreadableLead } from './new-lead.ts'
import { isMultipart, toSent, withoutFiles } from './raw/body.ts'
import { LEASE_MS, type RawMaker } from './raw/maker.ts'
import type { RawStore } from './raw/store.ts'

const MAX_BYTES = 64 * 1024
/** Maximum size of an e-mail with pictures; the pictures are not stored. */
const MAX_BYTES_WITH_FILES = 1024 * 1024
const limitText = limitBody(MAX_BYTES)
const limitFiles = limitBody(MAX_BYTES_WITH_FILES)
const limitSent: MiddlewareHandler = (context, next) =>
  (isMultipart(context.req.header('content-type') ?? '') ? limitFiles : limitText)(context, next)
/** How long the answer waits for the lead to be made. The body is stored by then. */
const QUICK_MS = 1_000
const COME_AGAIN_SECONDS = '5'

type Parts = { clock: Clock; log: Log; rawStore: RawStore; maker: RawMaker }

export function createIntakeRoutes({ clock, log, rawStore, maker }: Parts): Hono {
  const routes = new Hono()

  // Answers the browser's preflight, which asks whether this page may send. The key is then in the address.
  routes.options('/', async (context) => {
    const pages = await rawStore.pagesOf(hashKey(keyIn(context) ?? ''), clock.now())
    if (!letIn(context, pages ?? []))
      throw new PortalError('intake.unknown-page', 'Esta página não está na lista da chave.', { status: 403 })
    context.header('access-control-allow-methods', 'POST')
    context.header('access-control-allow-headers', 'content-type, idempotency-key')
    context.header('access-control-max-age', '600')
    return context.body(null, 204)
  })

  // Answers {id, status}: `recebido` (201), `repetido` (200) for a repeated delivery, `ignorado` (200) for a
  // body without a lead; 202 (for a mail 200) if the lead is made later (`recebido`) or by a person (`kept`).
  // Every 2xx means that the body is stored.
  routes.post('/', limitSent, async (context) => {
    const contentType = context.req.header('content-type') ?? ''
    const bytes = withoutFiles(new Uint8Array(await context.req.arrayBuffer()), contentType)
    if (bytes.length > MAX_BYTES) throw requestTooLarge()
    const sent = toSent(bytes, contentType, context.req.header('idempotency-key')?.slice(0, 200) ?? null)
    const isBusy = maker.isBusy()
    const nowMs = clock.now()
    const stored = await rawStore
      .keep(hashKey(keyIn(context) ?? ''), sent, { nowMs, retryAtMs: isBusy ? nowMs : nowMs + LEASE_MS })
      .catch((error: unknown) => raiseUnavailable(context, error))
    if (stored === null)
      throw new PortalError('intake.unknown-key', 'A chave de captação não existe ou foi revogada.', {
        status: 401,
      })
    if ('isOff' in stored)
      throw new PortalError('source.off', 'Esta fonte foi desligada em Captação.', { status: 403 })
    const isListed = letIn(context, ('id' in stored && stored.settings.origins) || [])
    if (!('id' in stored)) return tooMany(context, stored.waitSeconds)
    // Inbound mail services repeat a mail for hours unless the answer is exactly 200.
    const later = stored.kind === 'email' ? 200 : 202
    if (isBusy) {
      maker.wake()
      return answered(context, later, { status: 'recebido' })
    }
    const waited = new AbortController()
    const made = await Promise.race([
      maker.make({ ...sent, ...stored, attempts: 1 }),
      clock.sleep(QUICK_MS, waited.signal).then(() => ({ outcome: 'later' }) as const),
    ]).finally(() => waited.abort())
    if (made.outcome === 'later') return answered(context, later, { status: 'recebido' })
    if (made.outcome === 'unreadable')
      return refuseOrKeep(context, stored.id, { error: made.error, isListed, later })
    if (made.outcome === 'nobody') return answered(context, 200, { status: 'ignorado' })
    if (made.outcome === 'test') return answered(context, 200, { status: 'teste' })
    const { id, isRepeat } = made.taken
    return answered(context, isRepeat ? 200 : 201, { id, status: isRepeat ? 'repetido' : 'recebido' })
  })

  /**
   * A person who fills in a form can correct it at once. A machine repeats forever or not at all, so its body
   * is kept for an administrator.
   */
  async function refuseOrKeep(
    context: Context,
    id: number,
    { error, isListed, later }: { error: UnreadableLead; isListed: boolean; later: 200 | 202 },
  ) {
    if (isListed && !error.isRobot) {
      await rawStore.remove(id)
      return refused(context, error)
    }
    if (!(await rawStore.setUnread(id, error.summary))) return refused(context, error)
    log.warn('intake.unread', { rawId: id, code: error.code })
    return answered(context, later, { status: 'kept' })
  }

  /** Even storing the body failed, so the sender must retry. */
  function raiseUnavailable(context: Context, error: unknown): never {
    context.header('retry-after', COME_AGAIN_SECONDS)
    log.error('intake.not-kept', errorFields(error))
    throw new PortalError(
      'intake.unavailable',
      'O portal não pode receber agora. Envie de novo em instantes.',
      {
        status: 503,
        cause: error,
      },
    )
  }

  return routes
}

/** Whether the page that sends is one of the allowed ones. If so, sets the CORS header. */
function letIn(context: Context, pages: readonly string[]): boolean {
  const origin = context.req.header('origin')
  if (origin === undefined) return false
  context.header('vary', 'Origin')
  if (!pages.includes(origin.toLowerCase())) return false
  context.header('access-control-allow-origin', origin)
  return true
}

/** The key of a request: from its header, or from its address for senders that cannot set headers. */
function keyIn(context: Context): string | undefined {
  const [, bearer] = /^Bearer (\S+)$/i.exec(context.req.header('authorization') ?? '') ?? []
  return bearer ?? context.req.header('x-api-key') ?? context.req.query('key')
}

const answered = (context: Context, status: 200 | 201 | 202, body: Record<string, unknown>) =>
  context.json(body, status, { 'cache-control': 'no-store' })

/** The refusal names the invalid field, so that a page can highlight it. */
const refused = (context: Context, { code, message, field }: UnreadableLead) =>
  context.json({ error: { code, message, field } }, 422, { 'cache-control': 'no-store' })
