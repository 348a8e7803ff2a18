// An agent's turn without its model: the time from its due moment to the queued message, with a model that answers at
// once.
import { openTalk } from '#tests/support/agent-dialogue.ts'
import { startPortal } from '#tests/support/portal.ts'
import type { Engine } from './engines.ts'
import { median, type Measure, percentile } from './measure.ts'

const TURNS = 300
/** The number of messages in a prompt. */
const LINES = 30
const OTHERS = 10_000
const MAX_MS = 300
/** Longer than the wait after a lead's message. */
const REST_SECONDS = 9

export async function measureAgent(engine: Engine): Promise<Measure[]> {
  const made = await startPortal(engine.dataDir, engine.env)
  await made.process.kill('SIGTERM')
  const times: number[] = []
  await engine.withDatabase(async (db) => {
    let said = 0
    const talk = await openTalk(db, () => ({ text: `Posso ajudar com isso, ponto ${++said}.` }))
    await db.query(
      `insert into public.whatsapp_contacts ("instanceName", number, name)
       select $1, '5511' || (930000000 + n), 'Outro ' || n from generate_series(1, $2::integer) n`,
      [talk.broker.instanceName, OTHERS],
    )
    await db.query(
      `insert into public.whatsapp_messages (contact_id, "instanceName", message_id, body, "timestamp", type, kind, author, delivery)
       select c.id, $1, 'N' || c.id || '-' || n, 'Linha ' || n, extract(epoch from now())::bigint - 7200 + n, 'outgoing', 'text', 'agent', 'sent'
       from (select id from public.whatsapp_contacts where "instanceName" = $1 order by id limit $2::integer) c, generate_series(1, $3::integer) n`,
      [talk.broker.instanceName, TURNS, LINES],
    )
    await db.exec('analyze')
    const { rows: leads } = await db.query<{ id: number }>(
      'select id from public.whatsapp_contacts where "instanceName" = $1 order by id limit $2::integer',
      [talk.broker.instanceName, TURNS],
    )
    for (const { id } of leads) {
      await talk.says(id, 'Tem vaga para dois carros?')
      const beganAt = performance.now()
      await talk.pass(REST_SECONDS)
      times.push(performance.now() - beganAt)
    }
    const { rows } = await db.query<{ sent: number }>(
      `select count(*)::integer as sent from portal.agent_turns where state = 'sent'`,
    )
    if (rows[0]?.sent !== TURNS) throw new Error(`${rows[0]?.sent} of ${TURNS} turns were sent`)
    await talk.close()
  })
  const named = (what: string) => `${engine.name}: an agent's turn without its model, ${what}`
  return [
    { name: named('half of them'), value: median(times), unit: 'ms' },
    { name: named('p95'), value: percentile(times, 0.95), unit: 'ms', limit: MAX_MS },
  ]
}
