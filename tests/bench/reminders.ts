// Ten thousand visit reminders due within one minute: the delay until each push is sent, encrypted and signed, to a
// push service that answers at once.
import webPush from 'web-push'
import { createECDH, randomBytes } from 'node:crypto'
import { systemClock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { createLog } from '#server/log.ts'
import { createPushQueue } from '#server/push/push-queue.ts'
import { createPushWorker } from '#server/push/push-worker.ts'
import { sendPush } from '#server/push/send.ts'
import { createVisits } from '#server/visits/visits.ts'
import { makeBroker, signIn } from '#tests/support/make.ts'
import { startPortal } from '#tests/support/portal.ts'
import type { Engine } from './engines.ts'
import { median, type Measure, percentile } from './measure.ts'

const REMINDERS = Number(process.env['REMINDERS'] ?? 10_000)
const BROKERS = 100
const MINUTE_MS = 60_000
const TWO_HOURS_MS = 120 * MINUTE_MS
/** The reminders become due after this time, when all rows are inserted. */
const BEGINS_IN_MS = 15_000
const GIVES_UP_MS = 5 * MINUTE_MS
const MAX_MS = 5_000

export async function measureReminders(engine: Engine): Promise<Measure[]> {
  const made = await startPortal(engine.dataDir, engine.env)
  await made.process.kill('SIGTERM')
  const delays: number[] = []
  const notifiedAt = new Map<number, number>()
  await engine.withDatabase(async (db) => {
    const beginsAtMs = await fill(db)
    await notifyAll(db, (id, startsAtMs) => {
      notifiedAt.set(id, (notifiedAt.get(id) ?? 0) + 1)
      delays.push(Date.now() - (startsAtMs - TWO_HOURS_MS))
      return delays.length < REMINDERS && Date.now() < beginsAtMs + GIVES_UP_MS
    })
  })
  const named = (what: string) =>
    `${engine.name}: ${REMINDERS.toLocaleString('en')} reminders due in a minute, ${what}`
  const isServer = engine.env['DATABASE_URL'] !== undefined
  return [
    { name: named('half of them on their way within'), value: median(delays), unit: 'ms' },
    { name: named('p95'), value: percentile(delays, 0.95), unit: 'ms', ...(isServer && { limit: MAX_MS }) },
    { name: named('lost'), value: REMINDERS - notifiedAt.size, unit: '', limit: 0 },
    { name: named('doubled'), value: delays.length - notifiedAt.size, unit: '', limit: 0 },
  ]
}

/** Returns when the first is due. */
async function fill(db: Database): Promise<number> {
  const key = createECDH('prime256v1')
  for (let n = 0; n < BROKERS; n++) {
    const broker = await makeBroker(db)
    const { session_id: session } = await signIn(db, broker)
    await db.query(
      `insert into portal.push_devices (session_id, endpoint, p256dh, auth, name)
       values ($1::uuid, $$https://push.example/$$ || ($1::uuid)::text, $2, $3, 'Celular')`,
      [String(session), key.generateKeys('base64url'), randomBytes(16).toString('base64url')],
    )
  }
  await db.query(
    `insert into public.whatsapp_contacts ("instanceName", number, name)
     select b."instanceName", '5511' || (960000000 + n), 'Lead ' || n
     from generate_series(1, $1::integer) n
     join (select "instanceName", row_number() over (order by "instanceName") as place from public.brokers
       where id in (select account_id from portal.sessions)) b on b.place = 1 + n % $2::integer`,
    [REMINDERS, BROKERS],
  )
  await db.exec('delete from portal.push_queue')
  const beginsAtMs = Date.now() + BEGINS_IN_MS
  await db.query(
    `insert into portal.actions (contact_id, kind, due_at, note, seen_at)
     select c.id, 'visit', to_timestamp(($1 + $2 * (row_number() over (order by c.id)) / $3) / 1000.0), 'Estande', now()
     from public.whatsapp_contacts c`,
    [beginsAtMs + TWO_HOURS_MS, MINUTE_MS, REMINDERS],
  )
  await db.exec('analyze')
  return beginsAtMs
}

/** Runs the portal's workers until `onTold` returns true. */
async function notifyAll(db: Database, onTold: (id: number, startsAtMs: number) => boolean): Promise<void> {
  const log = createLog('error', () => undefined)
  const clock = systemClock
  const address = () => 'https://portal.example'
  const keys = { ...webPush.generateVAPIDKeys(), subject: 'mailto:suporte@portal.example' }
  const post = () => Promise.resolve({ status: 201, retryAfter: null })
  const end = new AbortController()
  const worker = createPushWorker({
    db,
    clock,
    log,
    queue: createPushQueue(db),
    send: async (push) => {
      const outcome = await sendPush({ post, keys, clock, address }, push)
      if (push.visit && !onTold(push.subject ?? 0, push.visit.startsAtMs)) end.abort()
      return outcome
    },
  })
  const stops = [worker.start(), createVisits({ db, clock, log, address }).start()]
  await clock.sleep(BEGINS_IN_MS + GIVES_UP_MS, end.signal)
  for (const stop of stops) await stop()
}
