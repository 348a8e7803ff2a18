// kill -9 while an agent answers: while leads write, during the model's work, and while the answer is being sent. Never
// two answers to one message, never one after a person's message, never an endless turn, and no lead is left without an
// answer.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { BROKER } from '#tests/support/board.ts'
import { prepareLinkedPortal } from '#tests/support/linked-portal.ts'
import { makeAgent } from '#tests/support/make.ts'
import { startModelServer } from '#tests/support/model-server.ts'
import { call, signIn, type RunningPortal } from '#tests/support/portal.ts'

/** Two kills each: while leads write, and while the agent answers. */
const ROUNDS = 10
const LEADS = 4
/** The message after which the person writes, in one conversation per round. */
const PERSON = 'Sou a Camila, vou te ajudar'

let checkout: Awaited<ReturnType<typeof prepareLinkedPortal>>
let model: Awaited<ReturnType<typeof startModelServer>>
let words = 0
let onAsked: () => void = () => undefined
beforeAll(async () => {
  model = await startModelServer(() => {
    onAsked()
    return { text: `Sou o assistente. Resposta ${++words}.` }
  })
  checkout = await prepareLinkedPortal({
    leads: 0,
    env: { LOG_LEVEL: 'info', AGENT_API_URL: model.url, AGENT_MODEL: 'lago-mini' },
    prepare: async (db) => {
      await db.query(`update public.brokers set central_since = '2020-01-01' where "instanceName" = $1`, [
        BROKER.instance,
      ])
      const { id } = await makeAgent(db, { instanceName: BROKER.instance, empreendimento: 'Mirante' })
      await db.query(`update portal.agent_settings set mode = 'answer' where agent_id = $1`, [id])
    },
  })
})
afterAll(async () => {
  await checkout.clear()
  await model.stop()
})

const enter = ({ origin }: RunningPortal) => signIn(origin, BROKER.email, BROKER.password)
const numberOf = (round: number, lead: number) => `55119${60_000_000 + round * LEADS + lead}`
const writes = (from: string, text: string, fromMe = false) =>
  checkout.control.receive({ instance: BROKER.instance, from, name: 'Lead', text, fromMe })

/** The killed portal's work is due now, and leads have finished writing. */
const passTime = () =>
  checkout.withDatabase(async (db) => {
    await db.exec(`
      update portal.agent_turns set due_at = now() where state = 'waiting';
      update portal.agent_turns set leased_until = now() where state = 'thinking'`)
  })

async function countOf({ origin }: RunningPortal, token: string, filter: string): Promise<number> {
  const { body } = await call<unknown[]>(`${origin}/rest/v1/whatsapp_messages?select=id&${filter}`, { token })
  return body.length
}

test(`${ROUNDS * 2} kills while an agent answers`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const writing = await checkout.start()
    const token = await enter(writing)
    const before = await countOf(writing, token, 'type=eq.incoming')
    for (let lead = 0; lead < LEADS; lead++) {
      writes(numberOf(round, lead), `Tem vaga? ${round}.${lead}`)
      if (lead % 2 === 0) writes(numberOf(round, lead), `E piscina? ${round}.${lead}`)
    }
    // At a random point between the first delivery and the last.
    while ((await countOf(writing, token, 'type=eq.incoming')) < before + 1 + (round % LEADS))
      await systemClock.sleep(20)
    await writing.process.kill('SIGKILL')

    await passTime()
    const killAt = 1 + (round % LEADS)
    let asked = 0
    const isKilled = new Promise<void>((resolve) => {
      onAsked = () => {
        asked += 1
        // In odd rounds the answer is sent before the kill.
        if (asked === killAt) setTimeout(resolve, round % 2 === 0 ? 0 : 30)
      }
    })
    const answering = await checkout.start()
    writes(numberOf(round, 0), PERSON, true)
    await isKilled
    await answering.process.kill('SIGKILL')
    onAsked = () => undefined
    await passTime()
  }

  // Open turns end: the portal gets as many polls as turns may be claimed again.
  const open = { turns: 1 }
  for (let poll = 0; poll < 6 && open.turns > 0; poll++) {
    const portal = await checkout.start()
    const token = await enter(portal)
    const queued = 'type=eq.outgoing&delivery=in.(queued,sending)'
    const began = Date.now()
    while ((await countOf(portal, token, queued)) > 0 || Date.now() - began < 3_000)
      await systemClock.sleep(200)
    await portal.process.kill('SIGTERM')
    await checkout.withDatabase(async (db) => {
      const { rows } = await db.query<{ turns: number }>(
        'select count(*)::integer as turns from portal.agent_turns where ended_at is null',
      )
      Object.assign(open, rows[0])
    })
    if (open.turns > 0) await passTime()
  }
  expect(open).toEqual({ turns: 0 })

  await checkout.withDatabase(async (db) => {
    const rowsOf = async (sql: string) => (await db.query(sql)).rows
    expect(
      await rowsOf(
        `select base_message from portal.agent_turns where state = 'sent' group by 1 having count(*) > 1`,
      ),
    ).toEqual([])
    expect(
      await rowsOf(`
        select a.body from public.whatsapp_messages a join public.whatsapp_messages h using (contact_id)
        where a.author = 'agent' and a.type = 'outgoing' and h.type = 'outgoing' and h.body = '${PERSON}' and h.id < a.id`),
    ).toEqual([])
    // Every lead was answered, by the agent or a person, or is on its way to a broker.
    expect(
      await rowsOf(`
        select c.number from public.whatsapp_contacts c
        where c.last_message_type = 'incoming'
          and not exists (select from portal.roleta_cases k where k.contact_id = c.id)`),
    ).toEqual([])
    const [known] = await rowsOf('select count(*)::integer as leads from public.whatsapp_contacts')
    expect(known).toEqual({ leads: ROUNDS * LEADS })
    const [sent] = await rowsOf(
      `select count(*)::integer as turns from portal.agent_turns where state = 'sent'`,
    )
    expect(sent?.['turns']).toBeGreaterThan(ROUNDS)
  })
  const delivered = (await checkout.delivered()).filter((text) => text.startsWith('Sou o assistente'))
  expect(new Set(delivered).size).toBe(delivered.length)
}, 600_000)
