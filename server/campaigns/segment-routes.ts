// /api/campaigns/segments: administrators count the persons who match a question, and start a campaign to them.
// Saved segments, lists and results are functions of /rest/v1/rpc.
import { Hono } from 'hono'
import { forecastEnd } from '#domain/campaign.ts'
import { PortalError } from '#domain/errors.ts'
import type { Claims } from '#server/db/as-user.ts'
import { jsonOf, signedInAdmin, type Signed } from '#server/http/requests.ts'
import { attach, futureOf, mediaOf, requestOf, textFor, type Attached } from './campaign-body.ts'
import { readSegment, readSegmentStart, type SegmentStartInput } from './campaign-input.ts'
import type { RouteParts, StartParts } from './campaign-routes.ts'
import type { createSegmentStore, SegmentCounts, SegmentSend } from './campaign-store.ts'
import { averageStepMs } from './campaign-worker.ts'

type SegmentStore = ReturnType<typeof createSegmentStore>
type SegmentParts = Pick<RouteParts, 'clock' | 'zone' | 'delayMs' | 'memberOf' | 'rateLimit' | 'onChanged'> &
  Pick<StartParts, 'storage' | 'isConfigured' | 'readAttachment'> & { store: SegmentStore }

export function createSegmentRoutes(parts: SegmentParts): Hono<Signed> {
  const { memberOf, rateLimit, store, onChanged } = parts
  const start = createSegmentStart(parts)
  const routes = new Hono<Signed>()
  routes.use(signedInAdmin(memberOf))
  // Answers the counts, and when the last broker's part will end if nothing delays it. Null: nobody matches the
  // question.
  routes.post('/count', async (context) => {
    const { question, percent } = readSegment(await jsonOf(context))
    const { brokers, ...counts } = await store.count(context.var.claims, question, percent)
    return context.json({
      ...counts,
      brokerCount: brokers.length,
      pace: paceOf(parts, brokers),
      endsAt: endsAt(parts, brokers),
      nowMs: parts.clock.now(),
      zone: parts.zone,
    })
  })
  // JSON of campaign-input.ts; with a file, a form with `message` (that JSON with `media`) and `file`.
  routes.post('/', rateLimit('upload'), async (context) => {
    const { body, file } = await requestOf(context)
    const send = await start(context.var.claims, body, file)
    onChanged()
    return context.json({ send })
  })
  return routes
}

/** A retry of the operation changes nothing. Raises PortalErrors. */
function createSegmentStart({ clock, storage, isConfigured, readAttachment, store }: SegmentParts) {
  return async (claims: Claims, body: unknown, bytes: Uint8Array | null): Promise<SegmentSend> => {
    const input = readSegmentStart(body, bytes !== null)
    const known = await store.done(claims, input.operationId)
    if (known) return known
    // 409 and not 503, because a retry would not help soon.
    if (!isConfigured)
      throw new PortalError('gateway.unconfigured', 'WhatsApp não configurado', { status: 409 })
    return plan(claims, input, bytes && { bytes, attachment: readAttachment(mediaOf(body), bytes) })
  }

  async function plan(claims: Claims, input: SegmentStartInput, file: Attached | null) {
    const { operationId, question, percent, segmentId, message, marks } = input
    const hasMedia = file !== null
    const texts = (await store.candidates(claims, question, percent)).flatMap((lead) =>
      textFor(message, { ...lead, hasMedia }),
    )
    const media = file && (await attach(storage, file))
    const startsAt = futureOf(input.startsAt, clock.now())
    return store.plan(claims, {
      operationId,
      send: { question, percent, segmentId, message, startsAt, marks, media },
      texts,
    })
  }
}

const HOUR_MS = 3_600_000

/** How many messages one number sends in an hour, and between which hours. Null: nobody gets the campaign. */
function paceOf({ delayMs }: SegmentParts, [first]: SegmentCounts['brokers']) {
  if (!first) return null
  const { opensAt, closesAt } = first.pacing
  return { perHour: Math.floor(HOUR_MS / Math.max(1, averageStepMs(delayMs))), opensAt, closesAt }
}

/** When the last broker's part ends; each broker sends at its own pace. */
function endsAt({ clock, delayMs, zone }: SegmentParts, brokers: SegmentCounts['brokers']): string | null {
  if (brokers.length === 0) return null
  const ends = brokers.map(({ count, pacing }) =>
    forecastEnd({
      count,
      atMs: clock.now(),
      stepMs: averageStepMs(delayMs),
      policy: pacing,
      sentToday: pacing.sentToday,
      earlierDays: pacing.earlierDays,
      zone,
    }),
  )
  return new Date(Math.max(...ends)).toISOString()
}
