// Random histories of conversations with an agent: repeated, reordered and late deliveries, people who answer, portals
// that end, a model that fails. Never an answer after a person's message, never two to one message, never an endless
// turn.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyReport, openTalk, reportedText, type Talk } from '#tests/support/agent-dialogue.ts'
import { openBase } from '#tests/support/database.ts'
import type { Answer } from '#tests/support/model-server.ts'
import { byTier, onBest } from '#tests/support/runner/tier.ts'

/** `PROPERTY_RUNS=5000` runs that many histories. */
const LIVES = Number(process.env['PROPERTY_RUNS'] ?? byTier(3, onBest(1_000, 250)))
const PRICE = { input: 1_234_567, output: 7_654_321 }

const base = await openBase()
const { db } = base
let talk: Talk
beforeAll(async () => {
  talk = await openTalk(db, scripted)
  await db.query('insert into portal.model_prices values ($1, $2, $3)', [
    'lago-mini',
    PRICE.input,
    PRICE.output,
  ])
})
afterAll(() => talk.close())

/** A fixed seed, so that failures repeat; `PROPERTY_SEED` chooses other histories. */
let seed = Number(process.env['PROPERTY_SEED'] ?? 1)
function draw(most: number): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((seed / 2 ** 32) * most)
}
const one = <T>(choices: readonly T[]): T => choices[draw(choices.length)]!
let words = 0
let spentMicros = 0

/** Letters, because the answer check takes a number of four digits for a price. */
const inLetters = (count: number) => String(count).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)

function scripted(): Answer {
  const usage = { prompt_tokens: draw(3_000), completion_tokens: draw(200) }
  const cost = () =>
    (spentMicros += Math.ceil(
      (usage.prompt_tokens * PRICE.input + usage.completion_tokens * PRICE.output) / 1_000_000,
    ))
  const what = draw(20)
  if (what === 0) return { status: one([429, 500, 503]) }
  if (what === 1) return { raw: '{"choices":[{"mess' }
  cost()
  if (what === 2)
    return { calls: [{ name: one(['buscar_fatos', 'lembrar', 'nada']), args: { tema: 'vaga' } }], usage }
  if (what === 3) return { text: one(['', 'Custa R$ 300 mil.', 'Já está reservado.']), usage }
  return { text: `Sou o assistente. Resposta ${inLetters(++words)}.`, usage }
}

const nowSeconds = () => Math.floor(Date.now() / 1000)
const apply = (event: object) => applyReport(db, talk.broker.instanceName, event)

/** Sends a queued message and reports it: before the answer, after it, under a hidden id, twice, or never. */
async function send(jid: string, lid: string) {
  const { rows } = await db.query<{ message: { id: number; body: string } | null }>(
    'select portal.claim_message($1, $2, 60) as message',
    [talk.broker.instanceName, randomUUID()],
  )
  const claimed = rows[0]?.message
  await db.query('update portal.send_queues set leased_until = null, holder = null')
  if (!claimed) return
  const echo = reportedText([one([jid, lid])], true, claimed.body)
  const settle = () =>
    db.query('select portal.settle_sent($1, $2, $3, $4)', [claimed.id, echo.messageId, jid, nowSeconds()])
  const steps = one([
    [() => apply(echo), settle],
    [settle, () => apply(echo), () => apply(echo)],
    [
      () => apply(echo),
      () => apply(echo),
      settle,
      () => apply({ ...echo, chat: { ...echo.chat, jids: [jid], remoteJid: jid } }),
    ],
    [settle],
  ])
  for (const step of steps) await step()
}

async function live(number: string) {
  const jid = `${number}@s.whatsapp.net`
  const lid = `9${number}@lid`
  let late: object[] = []
  const bubbles = async () => {
    const burst = Array.from({ length: 1 + draw(4) }, () => reportedText([jid], false, `Pergunta ${++words}`))
    const delivered = burst.flatMap((each) => (draw(4) === 0 ? [each, each] : [each]))
    if (draw(5) === 0) late = delivered.splice(draw(delivered.length), 1)
    while (delivered.length > 0) await apply(delivered.splice(draw(delivered.length), 1)[0]!)
  }
  const steps: (() => Promise<unknown>)[] = [
    bubbles,
    bubbles,
    bubbles,
    () => talk.pass(one([1, 4, 9, 9, 30])),
    () => talk.pass(9),
    () => send(jid, lid),
    () => send(jid, lid),
    async () => {
      for (const each of late) await apply(each)
      late = []
    },
    // A portal takes the turn and ends.
    async () => {
      const at = new Date(talk.clock.now()).toISOString()
      await db.query('select portal.claim_turn($1, $2)', [randomUUID(), at])
    },
  ]
  await bubbles()
  const length = 6 + draw(14)
  const personAt = draw(3) === 0 ? draw(length) : -1
  for (let step = 0; step < length; step++) {
    if (step === personAt)
      await apply(reportedText([jid], true, `Sou a Camila ${++words}`, nowSeconds() - draw(60)))
    await one(steps)()
  }
  for (const each of late) await apply(each)
}

const count = async (sql: string) =>
  (await db.query<{ count: number }>(`select count(*)::integer as count from ${sql}`)).rows[0]!.count

test(
  `${LIVES} histories: nothing after a person, nothing twice, nothing endless`,
  { timeout: 3_000_000 },
  async () => {
    for (let lived = 0; lived < LIVES; lived++) await live(`55119${70_000_000 + lived}`)
    // Leases expire and waiting work is done; the last turn may have been refused once.
    const open = () => count(`portal.agent_turns where ended_at is null`)
    for (let round = 0; round < 30 && (await open()) > 0; round++) await talk.pass(151)
    expect(await open()).toBe(0)

    // Messages count from when they became known, because a portal cannot act on unknown ones.
    expect(
      await count(`whatsapp_messages a join whatsapp_messages h using (contact_id)
      where a.author = 'agent' and a.type = 'outgoing' and h.type = 'outgoing' and h.author = 'human' and h.operation_id is null
        and h.body like 'Sou a Camila%' and h.id < a.id`),
    ).toBe(0)
    // No message of the agent counts as a person's, and none has paused it.
    expect(
      await count(
        `whatsapp_messages where author = 'human' and type = 'outgoing' and body like 'Sou o assistente%'`,
      ),
    ).toBe(0)
    expect(
      await count(`portal.agent_pauses p where not exists (
      select from whatsapp_contacts c join whatsapp_messages m on m.contact_id = c.id
      where c.person_id = p.person_id and m.body like 'Sou a Camila%')`),
    ).toBe(0)
    expect(
      await count(
        `(select base_message from portal.agent_turns where state = 'sent' group by 1 having count(*) > 1) twice`,
      ),
    ).toBe(0)
    expect(
      await count(
        `(select body from whatsapp_messages where author = 'agent' and type = 'outgoing' group by contact_id, body having count(*) > 1) twice`,
      ),
    ).toBe(0)
    expect(await count(`whatsapp_messages where author = 'agent' and type = 'outgoing'`)).toBe(
      await count(`portal.agent_turns where state = 'sent'`),
    )
    // Every waiting lead belongs to a person: written to, or on its way to a broker.
    expect(
      await count(`whatsapp_contacts c where c.last_message_type = 'incoming'
      and not exists (select from portal.roleta_cases k where k.contact_id = c.id)
      and not exists (select from whatsapp_messages m where m.contact_id = c.id and m.type = 'outgoing' and m.author = 'human')`),
    ).toBe(0)
    // The shown use equals the real use.
    const { rows } = await db.query<{ spent: number }>(
      'select sum(cost_micros)::bigint as spent from portal.agent_turns',
    )
    expect(rows[0]!.spent).toBe(spentMicros)
    expect(await count(`portal.agent_turns where state = 'sent'`)).toBeGreaterThan(LIVES / 2)
  },
)
