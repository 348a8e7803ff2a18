// /api/roleta: rotations and their decisions, for administrators; a team's rotation also for its gerente. Brokers get
// their offers and their share under /mine.
import { Hono, type Context } from 'hono'
import { simulate } from '#domain/rotation/rotation.ts'
import {
  decisionsOf,
  eventText,
  ownReasons,
  reasonCounts,
  seatOutcomeText,
} from '#domain/rotation/reasons.ts'
import type { Role } from '#domain/session.ts'
import type { Clock } from '#server/clock.ts'
import {
  jsonOf,
  limitBody,
  signedIn,
  signedInAdmin,
  signedInLeader,
  type Asking,
  type Signed,
} from '#server/http/requests.ts'
import { readCentral, readOperation, readPause, readSave, readWanted } from './rotation-input.ts'
import type { createRotationStore, HistoryRow } from './rotation-store.ts'

type Member = Asking & { role: Role; leadsTeam: boolean }
type Parts = {
  clock: Clock
  store: ReturnType<typeof createRotationStore>
  memberOf: (request: Request) => Promise<Member>
  /** Called when cases may be due. */
  onChanged: () => void
}

const MAX_BODY_BYTES = 512 * 1024
const DAY_MS = 86_400_000
const DEFAULT_DAYS = 30
const MAX_DAYS = 366
const ID = '[0-9]{1,9}'
const LONG_ID = '[0-9]{1,15}'

export function createRotationRoutes(parts: Parts): Hono {
  const routes = new Hono()
  routes.route('/mine', createOwnRoutes(parts))
  routes.route('/', createManagedRoutes(parts))
  routes.route('/', createAdminRoutes(parts))
  return routes
}

function createOwnRoutes({ clock, store, memberOf, onChanged }: Parts): Hono<Signed<Member>> {
  const routes = new Hono<Signed<Member>>()
  routes.use(signedIn(memberOf), limitBody(MAX_BODY_BYTES))
  // Answers {offers, pool, pausedUntil, now}: first names and developments only.
  routes.get('/', async (context) => context.json(await store.offers(context.var.claims, clock.now())))
  routes.get('/shares', async (context) => {
    const shares = await store.ownShares(context.var.claims, spanOf(context, clock))
    return context.json({
      shares: shares.map((share) => ({
        ...share,
        leads: decisionsOf(share.reasons),
        why: ownReasons(share.reasons),
      })),
    })
  })
  // How a lead of the caller came in, and its previous owners.
  routes.get(`/leads/:id{${LONG_ID}}`, async (context) => {
    const leadHistories = await store.ownCourse(context.var.claims, Number(context.req.param('id')))
    return context.json({ courses: leadHistories.map(inWords) })
  })
  routes.post('/pause', async (context) => {
    const answer = await store.pause(context.var.claims, readPause(await jsonOf(context)))
    onChanged()
    return context.json(answer)
  })
  for (const intent of ['accept', 'pass', 'claim'] as const)
    routes.post(`/:id{${LONG_ID}}/${intent}`, async (context) => {
      const operationId = readOperation(await jsonOf(context))
      const asked = { id: Number(context.req.param('id')), intent, operationId, nowMs: clock.now() }
      const answer = await store.answer(context.var.claims, asked)
      onChanged()
      return context.json(answer)
    })
  return routes
}

function createAdminRoutes({ clock, store, memberOf, onChanged }: Parts): Hono<Signed<Member>> {
  const routes = new Hono<Signed<Member>>()
  routes.use(signedInAdmin(memberOf), limitBody(MAX_BODY_BYTES))
  const idOf = (context: Context) => Number(context.req.param('id'))

  // Leads without a broker, and the state of each.
  routes.get('/open', async (context) => context.json({ cases: await store.openCases(context.var.claims) }))
  // How many of these leads each rotation could take now.
  routes.get('/inbox', async (context) => context.json({ inbox: await store.inbox(context.var.claims) }))
  routes.post(`/:id{${ID}}/inbox`, async (context) => {
    const operationId = readOperation(await jsonOf(context))
    const asked = { id: idOf(context), operationId, nowMs: clock.now() }
    const answer = await store.sendInbox(context.var.claims, asked)
    onChanged()
    return context.json(answer)
  })
  routes.get(`/leads/:id{${LONG_ID}}`, async (context) => {
    const leadHistories = await store.leadHistory(context.var.claims, idOf(context))
    return context.json({ courses: leadHistories.map(inWords) })
  })
  routes.post('/central', async (context) => {
    return context.json(await store.setCentral(context.var.claims, readCentral(await jsonOf(context))))
  })
  return routes
}

/** Serves one rotation to administrators and to the gerente of its team. */
function createManagedRoutes({ clock, store, memberOf, onChanged }: Parts): Hono<Signed<Member>> {
  const routes = new Hono<Signed<Member>>()
  const idOf = (context: Context) => Number(context.req.param('id'))
  for (const path of [`/:id{${ID}}`, `/:id{${ID}}/save`, `/:id{${ID}}/simulate`, `/:id{${ID}}/shares`])
    routes.use(path, signedInLeader(memberOf), limitBody(MAX_BODY_BYTES))

  routes.get(`/:id{${ID}}`, async (context) =>
    context.json(await store.details(context.var.claims, idOf(context))),
  )
  routes.post(`/:id{${ID}}/save`, async (context) => {
    const { operationId, version, roleta: wanted } = readSave(await jsonOf(context))
    const saved = await store.save(context.var.claims, { id: idOf(context), version, wanted, operationId })
    onChanged()
    return context.json(saved)
  })
  // Simulates the distribution of last month's leads, by the current rules and by the edited ones.
  routes.post(`/:id{${ID}}/simulate`, async (context) => {
    const { claims } = context.var
    const wanted = readWanted(await jsonOf(context))
    const standing = await store.details(claims, idOf(context))
    const arrivals = await store.arrivals(claims, idOf(context), spanOf(context, clock))
    return context.json({
      leads: arrivals.length,
      standing: simulate(arrivals, standing.seats),
      wanted: simulate(arrivals, wanted.seats),
    })
  })
  routes.get(`/:id{${ID}}/shares`, async (context) => {
    const shares = await store.shares(context.var.claims, idOf(context), spanOf(context, clock))
    return context.json({
      shares: shares.map((share) => ({ ...share, why: reasonCounts(share.instanceName, share.reasons) })),
    })
  })
  return routes
}

/** Each step of a lead as a sentence, and for each decision a line for every broker. */
const inWords = (leadHistory: HistoryRow) => ({
  ...leadHistory,
  events: leadHistory.events.map((event) => ({
    ...event,
    text: eventText(event),
    why: (event.decision?.verdicts ?? []).map(seatOutcomeText),
  })),
})

/** The period of the last `?days=` days, up to now. */
function spanOf(context: Context, clock: Clock): { fromMs: number; toMs: number } {
  const asked = Number(context.req.query('days') ?? DEFAULT_DAYS)
  const days = Number.isInteger(asked) && asked >= 1 && asked <= MAX_DAYS ? asked : DEFAULT_DAYS
  return { fromMs: clock.now() - days * DAY_MS, toMs: clock.now() }
}
