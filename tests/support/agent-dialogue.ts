// A central instance with an answering agent, leads that write to it, and a scripted language model.
import { createEngine } from '#server/agents/engine/engine.ts'
import { createAnswers } from '#server/agents/turns/answer-worker.ts'
import type { Voices } from '#server/agents/turns/hearing.ts'
import { noteModel } from '#server/agents/setup-store.ts'
import type { Database, Row } from '#server/db/database.ts'
import { inTurn } from './balancer.ts'
import { databaseClock } from './clock.ts'
import { databasesOf } from './database.ts'
import { silentLog } from './gateway.ts'
import { makeAgent, makeBroker, makeContact, makeMessage } from './make.ts'
import { startModelServer, type Answer, type Asked } from './model-server.ts'

export type Turn = Row & {
  id: number
  state: string
  reason: string | null
  body: string | null
  bubbles: number
  cost_micros: number
  message_id: number | null
}

let gatewayIds = 0

/** Messages and turns have the database's time; the portal uses `clock`, which the test advances. */
export async function openTalk(db: Database, otherwise?: (asked: Asked) => Answer, voices?: Voices) {
  const model = await startModelServer(otherwise)
  const clock = databaseClock()
  const broker = await makeBroker(db, { central_since: '2020-01-01' })
  const agent = await makeAgent(db, { instanceName: broker.instanceName, empreendimento: 'Mirante' })
  await db.query(`update portal.agent_settings set mode = 'answer' where agent_id = $1`, [agent.id])
  await noteModel(db, { model: 'lago-mini' })
  const queued: string[] = []
  const open = (own: Database) =>
    createAnswers({
      db: own,
      clock,
      log: silentLog,
      engine: createEngine({ url: model.url, key: undefined, model: 'lago-mini', clock, log: silentLog }),
      ...(voices && { voices }),
      onQueued: (instanceName) => void queued.push(instanceName),
    })
  const workers = databasesOf(db).map(open)
  const next = inTurn(workers)

  const nowSeconds = () => Math.floor(Date.now() / 1000)
  const line = (contactId: number, columns: Parameters<typeof makeMessage>[2]) =>
    makeMessage(db, contactId, {
      instanceName: broker.instanceName,
      message_id: `T${++gatewayIds}`,
      timestamp: nowSeconds(),
      ...columns,
    })

  return {
    db,
    model,
    clock,
    broker,
    agent,
    queued,
    lead: async (columns = {}) => (await makeContact(db, broker.instanceName, columns)).id,
    says: async (contactId: number, body: string, columns = {}) => {
      const said = await line(contactId, { body, ...columns })
      // The turn is due in the database's time, so the clock is advanced by the time that a busy machine took.
      clock.advance(Math.max(0, Date.parse(said.created_at) - clock.now()))
      return said
    },
    /** A message from the broker's phone, or (with an operation id) from the portal. */
    human: (contactId: number, body = 'Bom dia, sou a Camila', columns = {}) =>
      line(contactId, { body, type: 'outgoing', delivery: 'sent', author: 'human', ...columns }),
    /** Time passes, and either portal does the due work. */
    pass: async (seconds: number) => {
      clock.advance(seconds * 1000)
      const worker = next()
      worker.wake()
      await worker.settled()
    },
    /** A portal over the same database that the test runs itself. */
    another: () => open(db),
    turns: async (contactId: number): Promise<Turn[]> =>
      (
        await db.query<Turn>(
          `select id, state, reason, body, bubbles, cost_micros, message_id from portal.agent_turns
           where contact_id = $1 and kind = 'answer' order by id`,
          [contactId],
        )
      ).rows,
    /** The agent's messages, in order. */
    answers: async (contactId: number): Promise<string[]> =>
      (
        await db.query<{ body: string }>(
          `select body from public.whatsapp_messages where contact_id = $1 and author = 'agent' order by id`,
          [contactId],
        )
      ).rows.map(({ body }) => body),
    /** The states of its routing cases. */
    cases: async (contactId: number): Promise<string[]> =>
      (
        await db.query<{ state: string }>(
          'select state from portal.roleta_cases where contact_id = $1 order by id',
          [contactId],
        )
      ).rows.map(({ state }) => state),
    close: () => model.stop(),
  }
}

export type Talk = Awaited<ReturnType<typeof openTalk>>

let reports = 0
/** The gateway's report of a text in a chat with these addresses. */
export const reportedText = (
  jids: readonly string[],
  fromMe: boolean,
  body: string,
  sentAtSeconds = Math.floor(Date.now() / 1000),
) => ({
  event: 'message',
  messageId: `REPORT${++reports}`,
  chat: { remoteJid: jids[0], jids, ownJid: '5511900000001@s.whatsapp.net' },
  fromMe,
  isViaApi: false,
  sentAtSeconds,
  pushName: 'Lead',
  delivery: 'sent',
  quoted: null,
  ad: null,
  raw: null,
  kind: 'text',
  body,
  content: null,
})

/** Applies a report as the portal does. */
export const applyReport = (db: Database, instanceName: string, event: object) =>
  db.query('select portal.apply_event($1, $2::jsonb)', [instanceName, JSON.stringify(event)])

/**
 * The state after an agent's answer to the lead's last message failed. Outside working hours the turn exists already.
 */
export async function failTurn(
  db: Database,
  { agentId, lead, instanceName }: { agentId: number; lead: number; instanceName: string },
) {
  await db.query(
    `insert into portal.agent_turns (kind, agent_id, contact_id, state, base_message, began_at, due_at, "instanceName")
     select 'answer', $1, $2, 'waiting', max(id), now(), now(), $3 from whatsapp_messages where contact_id = $2
     on conflict (contact_id) where state = 'waiting' do update set base_message = excluded.base_message`,
    [agentId, lead, instanceName],
  )
  await db.query(
    `select portal.end_turn(id, now(), 'failed', 'unreachable') from portal.agent_turns where contact_id = $1 and ended_at is null`,
    [lead],
  )
}
