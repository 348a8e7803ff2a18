// /api/campaigns: starts, shows and steers a broker's campaign. The history is read from
// /rest/v1/remarketing_campaigns, results by contact from /rest/v1/campaign_recipients.
import { Hono, type Context } from 'hono'
import { PortalError } from '#domain/errors.ts'
import { MAX_BYTES } from '#domain/message/media.ts'
import { forecastEnd } from '#domain/campaign.ts'
import type { Role } from '#domain/session.ts'
import type { Clock } from '#server/clock.ts'
import type { Claims } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import type { RateLimit } from '#server/http/rate-limit.ts'
import { jsonOf, limitBody, signedIn, type Asking, type Signed } from '#server/http/requests.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import {
  attach,
  futureOf,
  mediaOf,
  requestOf,
  textFor,
  type Attached,
  type ReadAttachment,
} from './campaign-body.ts'
import { readStart, readSteer, type StartInput } from './campaign-input.ts'
import type { createPlanStore, Active, CampaignRow, Pacing } from './campaign-store.ts'
import { averageStepMs } from './campaign-worker.ts'

/** Maximum size of a request: a hundred thousand ids and a long text. */
const LIST_BYTES = 2 * 1024 * 1024
const MAX_REQUEST_BYTES = Math.max(...Object.values(MAX_BYTES)) + LIST_BYTES

export type StartParts = {
  db: Database
  clock: Clock
  storage: MediaStore
  /** False: no gateway is configured, and the portal answers 'WhatsApp não configurado'. */
  isConfigured: boolean
  readAttachment: ReadAttachment
}

export type RouteParts = {
  clock: Clock
  zone: string
  delayMs: { min: number; max: number }
  memberOf: (request: Request) => Promise<Asking & { role: Role }>
  rateLimit: RateLimit
  store: PlanStore
  start: ReturnType<typeof createStart>
  onChanged: () => void
}

export function createCampaignRoutes(parts: RouteParts): Hono<Signed> {
  const { clock, memberOf, rateLimit, store, start, onChanged } = parts
  const routes = new Hono<Signed>()
  routes.use(signedIn(memberOf), limitBody(MAX_REQUEST_BYTES))
  const answer = (context: Context, campaign: CampaignRow) => {
    onChanged()
    return context.json({ campaign })
  }

  // JSON of campaign-input.ts; with a file, a form with `message` (that JSON with `media`) and `file`.
  routes.post('/', rateLimit('upload'), async (context) => {
    const { body, file } = await requestOf(context)
    return answer(context, await start(context.var.claims, body, file))
  })
  // Answers {campaign: null} without one; `endsAt`: the end without delays; `nowMs`: the portal's clock,
  // which may differ from the phone's.
  routes.get('/active', async (context) => {
    const { claims } = context.var
    const active = await store.active(claims)
    if (!active) return context.json({ campaign: null })
    const pacing = await store.pacing(claims, clock.now())
    return context.json({ ...active, endsAt: endsAt(parts, active, pacing), nowMs: clock.now() })
  })
  // The leads of a stage, with the reason why one would be skipped.
  routes.get('/candidates', async (context) => {
    const { claims } = context.var
    const contacts = await store.candidates(claims, context.req.query('stage') ?? '')
    const pacing = await store.pacing(claims, clock.now())
    return context.json({ contacts, pacing: pacingOf(parts, pacing) })
  })
  for (const intent of ['pause', 'resume', 'stop', 'retry'] as const)
    routes.post(`/:id{[0-9]{1,15}}/${intent}`, async (context) => {
      const { operationId } = readSteer(await jsonOf(context))
      const asked = { id: Number(context.req.param('id')), operationId, nowMs: clock.now() }
      return answer(context, await store.steer(context.var.claims, intent, asked))
    })
  // A person decides about a recipient with an unknown outcome: the text is sent again, or counted as sent.
  for (const settling of ['again', 'sent'] as const)
    routes.post(`/:id{[0-9]{1,15}}/recipients/:recipientId{[0-9]{1,15}}/${settling}`, async (context) => {
      const { operationId } = readSteer(await jsonOf(context))
      const { id, recipientId } = context.req.param()
      const asked = { id: Number(id), recipientId: Number(recipientId), operationId, nowMs: clock.now() }
      return answer(context, await store.settle(context.var.claims, settling, asked))
    })
  return routes
}

type PlanStore = ReturnType<typeof createPlanStore>

/** Starts a campaign of the caller; a retry of the operation changes nothing. Raises PortalErrors. */
export function createStart({ clock, storage, isConfigured, readAttachment }: StartParts, store: PlanStore) {
  return async (claims: Claims, body: unknown, file: Uint8Array | null): Promise<CampaignRow> => {
    const input = readStart(body, file !== null)
    // 409 and not 503, because a retry would not help soon.
    if (!isConfigured)
      throw new PortalError('gateway.unconfigured', 'WhatsApp não configurado', { status: 409 })
    const known = await store.done(claims, input.operationId)
    if (known) return known
    try {
      return await plan(
        claims,
        input,
        file && { bytes: file, attachment: readAttachment(mediaOf(body), file) },
      )
    } catch (error) {
      // If two requests run at once, the second fails because of the first's campaign, and returns it.
      const first = await store.done(claims, input.operationId)
      if (first) return first
      throw error
    }
  }

  async function plan(claims: Claims, input: StartInput, file: Attached | null): Promise<CampaignRow> {
    const { operationId, stage, message, marks } = input
    const recipients = recipientsOf(input, await store.candidates(claims, stage), file !== null)
    if (await store.active(claims)) throw alreadyActive()
    const media = file && (await attach(storage, file))
    const startsAt = futureOf(input.startsAt, clock.now())
    return store.plan(claims, {
      operationId,
      campaign: { stage, message, startsAt, marks, media },
      recipients,
    })
  }
}

const alreadyActive = () =>
  new PortalError('campaign.active', 'Esta campanha já está sendo processada', { status: 409 })

/** The final text of each recipient, in the chosen order. */
function recipientsOf(
  { contactIds, message }: StartInput,
  candidates: Awaited<ReturnType<PlanStore['candidates']>>,
  hasMedia: boolean,
) {
  const known = new Map(candidates.map((candidate) => [candidate.contactId, candidate]))
  return (contactIds ?? [...known.keys()]).flatMap((contactId) => {
    const candidate = known.get(contactId)
    if (!candidate || candidate.exclusion !== null) return []
    return textFor(message, { ...candidate, hasMedia })
  })
}

/**
 * What a screen needs for its forecast: the settings, what was sent today, and the average time between two messages.
 */
function pacingOf({ delayMs, zone, clock }: RouteParts, pacing: Pacing) {
  return { ...pacing, stepMs: averageStepMs(delayMs), zone, nowMs: clock.now() }
}

function endsAt({ clock, delayMs, zone }: RouteParts, active: Active, pacing: Pacing): string {
  const { next_send_at: next, scheduled_at: scheduled } = active.campaign
  const count = (active.counts['pending'] ?? 0) + (active.counts['sending'] ?? 0)
  const atMs = Math.max(clock.now(), Date.parse(next ?? scheduled ?? '') || 0)
  const { sentToday, earlierDays } = pacing
  const stepMs = averageStepMs(delayMs)
  return new Date(
    forecastEnd({ count, atMs, stepMs, policy: pacing, sentToday, earlierDays, zone }),
  ).toISOString()
}
