// A campaign worker and sender over a test database, with a scripted gateway and a manual clock.
import { randomUUID } from 'node:crypto'
import { createRunner } from '#server/campaigns/campaign-worker.ts'
import { createPlanStore, type Intent } from '#server/campaigns/campaign-store.ts'
import type { Claims } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import { createSender } from '#server/whatsapp/sending/send-worker.ts'
import { takeLock } from '#server/whatsapp/webhook/apply.ts'
import { manualClock } from './clock.ts'
import { untilQuiet } from './database.ts'
import { silentLog } from './gateway.ts'
import { NO_MEDIA, PRESENT, scriptedGateway, type ScriptedGateway } from './sending.ts'

const ZONE = 'America/Sao_Paulo'
const SECOND = 1_000
/** A step while every campaign waits for a later time. */
const REST_STEP = 5 * SECOND
const REST_TURNS = 12
/**
 * Maximum steps: nothing is running between two steps, so what did not happen in ten minutes of the portal's time never
 * will.
 */
const MAX_TURNS = 600

export type TestCampaigns = ReturnType<typeof openCampaigns>

/** Starts it; without gaps between messages unless `pace` says so. */
export function openCampaigns(
  db: Database,
  startMs: number,
  phone: ScriptedGateway = scriptedGateway(),
  presence = PRESENT,
) {
  const clock = manualClock(startMs)
  const delayMs = { min: 0, max: 0 }
  /** Each 'digitando…' that was shown within a gap. */
  const typed: { instanceName: string; number: string; shownMs: number; atMs: number }[] = []
  let isConfirming = true
  const sender = createSender({
    db,
    clock,
    log: silentLog,
    storage: NO_MEDIA,
    gateway: phone.gateway,
    presence,
    takeLock,
    onSettled: () => runner.wake(),
  })
  const runner = createRunner({
    storage: {},
    db,
    clock,
    log: silentLog,
    zone: ZONE,
    delayMs,
    ...presence,
    showTyping: async (instanceName, { number, delayMs: shownMs }) =>
      void typed.push({ instanceName, number, shownMs, atMs: clock.now() }),
    onQueued: sender.wake,
  })
  const stops = [runner.start(), sender.start()]

  /** Advances the clock in steps, each after the previous one's work is done. */
  async function turn(stepMs = SECOND) {
    await untilQuiet(db)
    if (isConfirming) await confirm()
    clock.advance(stepMs)
    await untilQuiet(db)
  }

  const confirm = () =>
    db.query(
      `select portal.apply_ack("instanceName", jsonb_build_object('event', 'ack', 'messageId', message_id, 'delivery', 'sent'))
       from public.whatsapp_messages where author = 'campaign' and message_id is not null and delivery = 'sent'`,
    )

  /** Whether every running campaign waits for a later time. */
  async function isAtRest(): Promise<boolean> {
    const { rows } = await db.query(
      `select from public.remarketing_campaigns
       where status = 'running' and (next_send_at is null or next_send_at <= $1)`,
      [new Date(clock.now()).toISOString()],
    )
    return rows.length === 0
  }

  /** Advances the portal's time until the condition holds; in longer steps while nothing is running. */
  async function until(fits: () => Promise<boolean> | boolean, restMs = REST_STEP) {
    for (let turns = 0; !(await fits()); turns++) {
      if (turns === MAX_TURNS) throw new Error('it never comes to this')
      await turn(restMs > SECOND && (await isAtRest()) ? restMs : SECOND)
    }
  }

  return {
    clock,
    phone,
    typed,
    wake: sender.wake,
    gatewayAnswered: sender.gatewayAnswered,
    turn,
    pace: (range: { min: number; max: number }) => void Object.assign(delayMs, range),
    until,
    /** Until this many sends have begun. */
    begun: (sends: number) => until(() => phone.sent.length >= sends),
    /** Advances one minute, in which everything due happens. */
    settle: async () => {
      for (let each = 0; each < REST_TURNS; each++) await turn(REST_STEP)
    },
    /** WhatsApp's server stops sending confirmations. */
    goQuiet: () => (isConfirming = false),
    /** Stops, even during a send, whose answer is ignored. */
    stop: async () => {
      let isOver = false
      const ending = Promise.all(stops.map((stop) => stop())).then(() => (isOver = true))
      await until(() => isOver)
      await ending
    },
  }
}

type Planned = { contactIds: number[]; startsAt?: string | null; marks?: boolean }

/** A campaign whose text names its recipient; returns its id. */
export async function planFor(db: Database, claims: Claims, planned: Partial<Planned>): Promise<number> {
  const { contactIds = [], startsAt = null, marks = true } = planned
  const row = await createPlanStore(db).plan(claims, {
    operationId: randomUUID(),
    campaign: { stage: 'new', message: 'Oi, {nome}!', startsAt, marks, media: null },
    recipients: contactIds.map((contactId) => ({ contactId, body: `Oi, ${contactId}!` })),
  })
  return row.id
}

export const steer = (
  db: Database,
  claims: Claims,
  { intent, ...asked }: { id: number; intent: Intent; nowMs: number },
) => createPlanStore(db).steer(claims, intent, { ...asked, operationId: randomUUID() })

type Status = {
  status: string
  pause_reason: string | null
  wait_reason: string | null
  next_send_at: string | null
  started_at: string | null
  current_recipient: number | null
  processed_contacts: number
  total_contacts: number
}

export async function statusOf(db: Database, id: number): Promise<Status> {
  const { rows } = await db.query<Status>('select * from public.remarketing_campaigns where id = $1', [id])
  if (!rows[0]) throw new Error('no campaign')
  return rows[0]
}

export async function recipientsOf(db: Database, id: number) {
  type Found = { id: number; state: string; reason: string | null; settled_at: string | null }
  const { rows } = await db.query<Found>(
    'select id, state, reason, settled_at from public.campaign_recipients where campaign_id = $1 order by id',
    [id],
  )
  return rows
}

export async function countRecipients(db: Database, id: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { state } of await recipientsOf(db, id)) counts[state] = (counts[state] ?? 0) + 1
  return counts
}
