// An agency at work: every broker listens to live events while boards are opened, conversations are read, cards are
// moved and messages come in, at fixed rates. Measures the answers, refusals, lost messages and memory.
import { randomUUID } from 'node:crypto'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { BROKER, type BoardBroker, fillBoard } from '#tests/support/board.ts'
import { upsert } from '#tests/support/deliveries.ts'
import { hearEvents } from '#tests/support/live-events.ts'
import { ADMIN_PASSWORD, call, signIn, startPortal } from '#tests/support/portal.ts'
import type { Engine } from './engines.ts'
import { pour, send } from './http.ts'
import { median, type Measure, percentile } from './measure.ts'
import { MAX_GROWTH_MB_A_MINUTE, slope, sum, weigh, whenApplied } from './watching.ts'

const BROKERS = 200
const LEADS = 250
const SECONDS = 300
const REQUESTS_A_SECOND = 50
const WEBHOOKS_A_SECOND = 30
/** Memory is measured after this part of the time. */
const WARM = 0.4
const MAX_P99_MS = 150

/**
 * The brokers' requests, in turn. Changes of a board are the most frequent, because a device asks for them at each event.
 */
const TURNS = [
  'whole board',
  'changes of a board',
  'conversation',
  'changes of a board',
  'list of 20',
  'whole board',
  'changes of a board',
  'conversation',
  'changes of a board',
  'move',
] as const
type Kind = (typeof TURNS)[number] | 'webhook'
type Lead = { id: number; number: string }
type Asker = {
  instance: string
  webhook: string
  token: string
  /** From the first read, and never renewed. So each answer has all changes since, as after hours without a signal. */
  cursor: string
  leads: Lead[]
  events: number
}
type Timed = { kind: Kind; status: number; ms: number }

export async function measureCrowd(engine: Engine): Promise<Measure[]> {
  const webhooks = await fill(engine)
  const portal = await startPortal(engine.dataDir, engine.env)
  const { origin } = portal
  const over = new AbortController()
  try {
    const askers: Asker[] = []
    for (const [at, webhook] of webhooks.entries()) askers.push(await enter(origin, brokerOf(at), webhook))
    for (const asker of askers) await listen(origin, asker, over.signal)
    const startedMs = Date.now()
    const at = (part: number) => startedMs + part * SECONDS * 1_000
    const of = (index: number) => askers[index % BROKERS]!
    const [answers, deliveries, samples] = await Promise.all([
      pour({ perSecond: REQUESTS_A_SECOND, seconds: SECONDS }, (index) => ask(origin, of(index), index)),
      pour({ perSecond: WEBHOOKS_A_SECOND, seconds: SECONDS }, (index) => deliver(origin, of(index), index)),
      weigh(() => portal.process.pid, { fromMs: at(WARM), untilMs: at(1) }),
    ])
    await whenApplied(origin, await signIn(origin, 'admin@admin.local', ADMIN_PASSWORD))
    over.abort()
    await portal.process.kill('SIGTERM')
    const all = [...answers, ...deliveries]
    const named = (what: string) => `${engine.name}: ${BROKERS} brokers listen, ${what}`
    const refused = all.filter(({ status }) => status !== 200).length
    const events = sum(askers.map((asker) => asker.events)) / SECONDS
    return [
      ...timesOf(all, named),
      { name: named('events heard'), value: events, unit: '/s' },
      { name: named('refused'), value: refused, unit: '', limit: 0 },
      { name: named('messages lost'), value: await lostOf(engine, deliveries.length), unit: '', limit: 0 },
      { name: named('memory at the end'), value: samples.at(-1)?.mb ?? NaN, unit: 'MB' },
      {
        name: named('memory gained a minute'),
        value: slope(samples),
        unit: 'MB',
        limit: MAX_GROWTH_MB_A_MINUTE,
      },
    ]
  } finally {
    over.abort()
    await portal.process.kill('SIGTERM')
  }
}

function brokerOf(at: number): BoardBroker {
  // A user name has letters only.
  const name = `medida${letterAt(Math.floor(at / 26))}${letterAt(at % 26)}`
  return { instance: `corretor_${name}`, email: `${name}@corretor.local`, password: BROKER.password }
}

const letterAt = (place: number) => String.fromCodePoint(97 + place)

/** Returns the webhook's path of each broker. */
async function fill(engine: Engine): Promise<string[]> {
  const made = await startPortal(engine.dataDir, engine.env)
  await made.process.kill('SIGTERM')
  const paths: string[] = []
  await engine.withDatabase(async (db) => {
    for (let at = 0; at < BROKERS; at++) {
      const broker = brokerOf(at)
      await fillBoard(db, LEADS, { hasMessages: true, broker, firstNumber: at * LEADS })
      paths.push(`/webhook/${broker.instance}/${await mintWebhookSecret(db.query, broker.instance)}`)
    }
    await db.exec('analyze')
  })
  return paths
}

async function enter(
  origin: string,
  { instance, email, password }: BoardBroker,
  webhook: string,
): Promise<Asker> {
  const token = await signIn(origin, email, password)
  const { body: leads } = await call<Lead[]>(
    `${origin}/rest/v1/whatsapp_contacts?select=id,number&order=id&limit=${LEADS}`,
    { token },
  )
  const { body } = await call<{ cursor: string }>(`${origin}/rest/v1/rpc/sync_board`, {
    token,
    body: { p_instance: instance, p_cursor: null },
  })
  return { instance, webhook, token, cursor: body.cursor, leads, events: 0 }
}

async function listen(origin: string, asker: Asker, signal: AbortSignal): Promise<void> {
  const response = await fetch(`${origin}/api/events`, {
    headers: { authorization: `Bearer ${asker.token}` },
    signal,
  })
  if (response.status !== 200) throw new Error(`/api/events answered ${response.status}`)
  const counting = hearEvents(response).until(({ kind }) => {
    asker.events += kind === 'board' ? 1 : 0
    return false
  })
  // The measurement aborts the stream at its end, which rejects this promise.
  counting.catch(() => undefined)
}

async function ask(origin: string, asker: Asker, index: number): Promise<Timed> {
  const round = Math.floor(index / BROKERS)
  const kind = TURNS[(index + round) % TURNS.length]!
  const { path, body } = callOf(kind, asker, round)
  const { status, ms } = await send(origin, { path, token: asker.token, ...(body && { body }) })
  return { kind, status, ms }
}

function callOf(kind: (typeof TURNS)[number], asker: Asker, round: number): { path: string; body?: object } {
  const lead = asker.leads[round % asker.leads.length]!
  switch (kind) {
    case 'whole board':
    case 'changes of a board':
      return {
        path: '/rest/v1/rpc/sync_board',
        body: { p_instance: asker.instance, p_cursor: kind === 'whole board' ? null : asker.cursor },
      }
    case 'conversation':
      return {
        path: `/rest/v1/whatsapp_messages?select=id,body,timestamp,type,kind,delivery,content,quoted,reactions&order=timestamp.desc,id.desc&limit=30&contact_id=eq.${lead.id}`,
      }
    case 'list of 20':
      return { path: '/rest/v1/whatsapp_contacts?select=id,name,number,status&order=id&limit=20' }
    case 'move':
      return {
        path: '/rest/v1/rpc/atualizar_status_lead',
        body: {
          p_number_lead: lead.number,
          p_broker_name: asker.instance,
          p_novo_status: 'conversa',
          p_contact_id: lead.id,
          p_operation_id: randomUUID(),
        },
      }
  }
}

async function deliver(origin: string, asker: Asker, index: number): Promise<Timed> {
  const lead = asker.leads[Math.floor(index / BROKERS) % asker.leads.length]!
  const body = upsert({
    id: `CROWD${index}`,
    key: { remoteJid: `${lead.number}@s.whatsapp.net` },
    message: { conversation: `Bom dia! (${index})` },
    sentAt: Math.floor(Date.now() / 1_000),
  })
  const { status, ms } = await send(origin, { path: asker.webhook, body })
  return { kind: 'webhook', status, ms }
}

function timesOf(all: readonly Timed[], named: (what: string) => string): Measure[] {
  const kinds = [...new Set(all.map(({ kind }) => kind))]
  return kinds.flatMap((kind): Measure[] => {
    const times = all.filter((answer) => answer.kind === kind).map(({ ms }) => ms)
    const limit = kind.endsWith('board') ? { limit: MAX_P99_MS } : {}
    return [
      { name: named(`${kind}, half of them`), value: median(times), unit: 'ms' },
      { name: named(`${kind}, p99`), value: percentile(times, 0.99), unit: 'ms', ...limit },
    ]
  })
}

async function lostOf(engine: Engine, delivered: number): Promise<number> {
  let stored = 0
  await engine.withDatabase(async (db) => {
    const { rows } = await db.query<{ stored: number }>(
      `select count(distinct message_id)::integer as stored from public.whatsapp_messages where message_id like 'CROWD%'`,
    )
    stored = rows[0]?.stored ?? 0
  })
  return delivered - stored
}
