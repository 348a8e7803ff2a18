// The running portal's speed on one engine: its starts, reads, the board of 5,000 leads, moves.
import { randomUUID } from 'node:crypto'
import { BROKER, fillBoard } from '#tests/support/board.ts'
import { call, signIn, startPortal } from '#tests/support/portal.ts'
import type { Engine } from './engines.ts'
import { load, send } from './http.ts'
import { type Measure, median } from './measure.ts'

const LEADS = 5_000
const CLIENTS = 8
const READS = 3_000
const MOVES = 1_500
const TIMES = 7
const LIST =
  '/rest/v1/whatsapp_contacts?select=id,name,number,status,broker:brokers(id,instanceName)&order=id&limit=20'
const FIRST_SCREEN =
  '/rest/v1/whatsapp_contacts?select=id,name,number,status,notes,last_message_body,last_message_timestamp' +
  '&status=eq.new&order=last_message_timestamp.desc.nullslast,id.desc&limit=12'
const BOARD = '/rest/v1/rpc/sync_board'
const LIMITS = { firstScreenMs: 5, boardKb: 250, refreshKb: 1, moveKb: 1 }

type Target = { origin: string; token: string; engine: Engine }

export async function measurePortal(engine: Engine): Promise<Measure[]> {
  const named = (name: string) => `${engine.name}: ${name}`
  const cold = await timed(() => startPortal(engine.dataDir, engine.env))
  await cold.result.process.kill('SIGTERM')
  await engine.withDatabase((db) => fillBoard(db, LEADS, { hasMessages: true }))
  const warm = await timed(() => startPortal(engine.dataDir, engine.env))
  try {
    const { origin } = warm.result
    const target = { origin, token: await signIn(origin, BROKER.email, BROKER.password), engine }
    const measures: Measure[] = [
      { name: 'first start, empty', value: cold.ms, unit: 'ms' },
      { name: `start with ${LEADS} leads`, value: warm.ms, unit: 'ms' },
      ...(await measureReads(target)),
      ...(await measureBoard(target)),
      ...(await measureMoves(target)),
    ]
    return measures.map((measure) => ({ ...measure, name: named(measure.name) }))
  } finally {
    await warm.result.process.kill('SIGTERM')
  }
}

async function measureReads({ origin, token, engine }: Target): Promise<Measure[]> {
  const list = { path: LIST, token }
  const screen = { path: FIRST_SCREEN, token }
  await load(origin, { clients: CLIENTS, count: READS / 10, next: () => list })
  const alone = await load(origin, { clients: 1, count: READS / 3, next: () => list })
  const together = await load(origin, { clients: CLIENTS, count: READS, next: () => list })
  const first = await load(origin, { clients: 1, count: READS / 10, next: () => screen })
  return [
    { name: 'REST, 20 leads with broker, 1 client', value: alone.perSecond, unit: '/s' },
    { name: `REST, 20 leads with broker, ${CLIENTS} clients`, value: together.perSecond, unit: '/s' },
    { name: `REST, p99 of ${CLIENTS} clients`, value: together.p99Ms, unit: 'ms' },
    {
      name: 'first screen of the board',
      value: first.p50Ms,
      unit: 'ms',
      // The limit applies to a Postgres server.
      ...(engine.name === 'Postgres' ? { limit: LIMITS.firstScreenMs } : {}),
    },
  ]
}

async function measureBoard({ origin, token }: Target): Promise<Measure[]> {
  const whole = { path: BOARD, token, body: { p_instance: BROKER.instance, p_cursor: null } }
  const answers = []
  for (let time = 0; time < TIMES; time++) answers.push(await send(origin, whole))
  const { body } = await call<{ cursor: string; leads: unknown[] }>(origin + BOARD, whole)
  if (body.leads.length !== LEADS) throw new Error(`the board has ${body.leads.length} leads`)
  const refresh = await send(origin, { ...whole, body: { ...whole.body, p_cursor: body.cursor } })
  return [
    { name: `board of ${LEADS}, whole`, value: median(answers.map(({ ms }) => ms)), unit: 'ms' },
    {
      name: `board of ${LEADS}, whole`,
      value: (answers[0]?.bytes ?? 0) / 1_000,
      unit: 'kB',
      limit: LIMITS.boardKb,
    },
    { name: 'board, refresh without change', value: refresh.ms, unit: 'ms' },
    {
      name: 'board, refresh without change',
      value: refresh.bytes / 1_000,
      unit: 'kB',
      limit: LIMITS.refreshKb,
    },
  ]
}

async function measureMoves({ origin, token }: Target): Promise<Measure[]> {
  const path = '/rest/v1/rpc/atualizar_status_lead'
  const { body: leads } = await call<{ id: number; number: string }[]>(
    `${origin}/rest/v1/whatsapp_contacts?select=id,number&order=id&limit=1000`,
    { token },
  )
  const next = (index: number) => {
    const lead = leads[index % leads.length]
    return {
      path,
      token,
      body: {
        p_number_lead: lead?.number,
        p_broker_name: BROKER.instance,
        p_novo_status: index % 2 === 0 ? 'conversa' : 'negociacao',
        p_contact_id: lead?.id,
        p_operation_id: randomUUID(),
      },
    }
  }
  const one = await send(origin, next(0))
  const alone = await load(origin, { clients: 1, count: MOVES / 3, next })
  const together = await load(origin, { clients: CLIENTS, count: MOVES, next })
  return [
    { name: 'a move, its answer', value: one.bytes / 1_000, unit: 'kB', limit: LIMITS.moveKb },
    { name: 'moves, 1 client', value: alone.perSecond, unit: '/s' },
    { name: `moves, ${CLIENTS} clients`, value: together.perSecond, unit: '/s' },
    { name: `moves, p99 of ${CLIENTS} clients`, value: together.p99Ms, unit: 'ms' },
  ]
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const startedAt = performance.now()
  const result = await work()
  return { result, ms: performance.now() - startedAt }
}
