// `npm run bench -- soak [minutes] [webhooks a second]`: the built portal under messages, moves and live events, killed
// twice: nothing is lost or doubled, phones that follow have the board, and memory stays flat.
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { BROKER, fillBoard } from '#tests/support/board.ts'
import { ADMIN_PASSWORD, call, signIn, startPortal, type RunningPortal } from '#tests/support/portal.ts'
import { freePort } from '#tests/support/free-port.mjs'
import type { Engine } from './engines.ts'
import { rest } from './http.ts'
import type { Measure } from './measure.ts'
import { follow, moveOn, report, type Ground, type Lead } from './soak-load.ts'
import { MAX_GROWTH_MB_A_MINUTE, type Sample, slope, sum, weigh, whenApplied } from './watching.ts'

export type SoakPlan = { minutes: number; perSecond: number }

const LEADS = 200
/** The gateway does not wait for an answer before the next report, so late ones are sent in parallel. */
const SENDERS = 64
const MOVERS = 4
const MOVE_EVERY_MS = 400
const PHONES = 4
/** Kills at these fractions of the time; memory is measured after the last one and a warm-up. */
const KILLS = [0.2, 0.4]
const WARM = 0.6
/** Small, so that garbage is collected early, and a leak ends the portal. */
const HEAP_MB = 64

type Place = Ground & { port: string }
type Running = { engine: Engine; ground: Place; portal: RunningPortal }
type Phone = Awaited<ReturnType<typeof follow>>
type Done = {
  sent: Set<string>
  moved: Set<string>
  leads: Lead[]
  phones: Phone[]
  strays: number
  samples: Sample[]
}

export async function measureSoak(engine: Engine, plan: SoakPlan): Promise<Measure[]> {
  const ground = await prepare(engine)
  const running: Running = { engine, ground, portal: await start(engine, ground) }
  let done: Done
  try {
    done = await loadAndKill(running, plan)
  } finally {
    await running.portal.process.kill('SIGTERM')
  }
  const { lost, doubled } = await count(engine, done)
  const named = (name: string) => `${engine.name}: soak of ${plan.minutes} min, ${name}`
  const aSecond = (times: number) => times / plan.minutes / 60
  return [
    { name: named('messages taken'), value: aSecond(done.sent.size), unit: '/s' },
    { name: named('moves'), value: aSecond(done.moved.size), unit: '/s' },
    {
      name: named('live events heard'),
      value: aSecond(sum(done.phones.map(({ events }) => events()))),
      unit: '/s',
    },
    { name: named('lost'), value: lost, unit: '', limit: 0 },
    { name: named('doubled'), value: doubled, unit: '', limit: 0 },
    { name: named('leads that phones show otherwise'), value: done.strays, unit: '', limit: 0 },
    { name: named('memory at the end'), value: done.samples.at(-1)?.mb ?? 0, unit: 'MB' },
    {
      name: named('memory gained a minute'),
      value: slope(done.samples),
      unit: 'MB',
      limit: MAX_GROWTH_MB_A_MINUTE,
    },
  ]
}

async function loadAndKill(running: Running, plan: SoakPlan): Promise<Done> {
  const { ground } = running
  const token = await signIn(ground.origin, BROKER.email, BROKER.password)
  const { body: leads } = await call<Lead[]>(
    `${ground.origin}/rest/v1/whatsapp_contacts?select=id,number,status&order=id`,
    { token },
  )
  const startedAtMs = Date.now()
  const at = (part: number) => startedAtMs + part * plan.minutes * 60_000
  ground.endsAtMs = at(1)
  const sent = new Set<string>()
  const moved = new Set<string>()
  const numbers = leads.map(({ number }) => number)
  const movers = Array.from({ length: MOVERS }, (_, mover) =>
    leads.filter((_lead, index) => index % MOVERS === mover),
  )

  const kill = async () => {
    for (const part of KILLS) {
      await rest(at(part) - Date.now())
      await running.portal.process.kill('SIGKILL')
      running.portal = await start(running.engine, ground)
    }
  }
  const [phones, samples] = await Promise.all([
    Promise.all(Array.from({ length: PHONES }, () => follow(ground, token))),
    weigh(() => running.portal.process.pid, { fromMs: at(WARM), untilMs: ground.endsAtMs }),
    report(ground, { perSecond: plan.perSecond, senders: SENDERS, numbers, sent }),
    ...movers.map((own) => moveOn(ground, { token, everyMs: MOVE_EVERY_MS, leads: own, moved })),
    kill(),
  ])
  await whenApplied(ground.origin, await signIn(ground.origin, 'admin@admin.local', ADMIN_PASSWORD))
  return { sent, moved, leads, phones, samples, strays: await straysOf(ground, token, phones) }
}

async function prepare(engine: Engine): Promise<Place> {
  const first = await startPortal(engine.dataDir, engine.env)
  await first.process.kill('SIGTERM')
  let webhook = ''
  await engine.withDatabase(async (db) => {
    await fillBoard(db, LEADS, { hasMessages: false })
    webhook = `/webhook/${BROKER.instance}/${await mintWebhookSecret(db.query, BROKER.instance)}`
  })
  return { origin: '', webhook, endsAtMs: 0, port: String(await freePort()) }
}

async function start(engine: Engine, ground: Place): Promise<RunningPortal> {
  const portal = await startPortal(engine.dataDir, {
    ...engine.env,
    PORT: ground.port,
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
  })
  ground.origin = portal.origin
  return portal
}

/** After one more fetch: leads of any phone that differ from the whole board. */
async function straysOf(ground: Ground, token: string, phones: readonly Phone[]) {
  const { body } = await call<{ leads: { id: number }[] }>(`${ground.origin}/rest/v1/rpc/sync_board`, {
    token,
    body: { p_instance: BROKER.instance, p_cursor: null },
  })
  const whole = new Map(body.leads.map((lead) => [lead.id, JSON.stringify(lead)]))
  let strays = 0
  for (const { board, look: poll } of phones) {
    await poll()
    strays += [...new Set([...whole.keys(), ...board.keys()])].filter(
      (id) => whole.get(id) !== board.get(id),
    ).length
  }
  return strays
}

async function count(
  engine: Engine,
  done: Pick<Done, 'sent' | 'moved' | 'leads'>,
): Promise<{ lost: number; doubled: number }> {
  const result = { lost: 0, doubled: 0 }
  await engine.withDatabase(async (db) => {
    const texts = async (sql: string) =>
      (await db.query<{ id: string }>(sql, [BROKER.instance])).rows.map(({ id }) => id)
    const lines = await texts(
      `select message_id as id from public.whatsapp_messages where "instanceName" = $1`,
    )
    const moves = await texts(
      `select h.operation_id as id from portal.stage_history h join public.whatsapp_contacts c on c.id = h.contact_id
       where c."instanceName" = $1 and h.operation_id is not null`,
    )
    const stages = await texts(
      `select id || ' ' || status as id from public.whatsapp_contacts where "instanceName" = $1`,
    )
    const [unread = '0'] = await texts(
      `select sum(unread_count) as id from public.whatsapp_contacts where "instanceName" = $1`,
    )
    const missing = (wanted: Iterable<string>, stored: string[]) => {
      const known = new Set(stored)
      return [...wanted].filter((id) => !known.has(id)).length
    }
    result.lost =
      missing(done.sent, lines) +
      missing(done.moved, moves) +
      missing(
        done.leads.map(({ id, status }) => `${id} ${status}`),
        stages,
      )
    result.doubled =
      lines.length -
      new Set(lines).size +
      (moves.length - new Set(moves).size) +
      Math.abs(Number(unread) - lines.length)
  })
  return result
}
