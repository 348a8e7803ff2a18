// Silence as an answer: what an agent leaves unanswered, and how it is recorded.
import { beforeEach, expect, test } from 'vitest'
import { KIND_LABEL } from '#domain/message/message.ts'
import type { Talk } from '#tests/support/agent-dialogue.ts'
import { onPostgres } from '#tests/support/database.ts'
import { openTalks } from '#tests/support/agent-talks.ts'

const { db, nextTalk } = await openTalks()
let talk: Talk
beforeEach(async () => {
  talk = await nextTalk()
})
const CLAIMER = '5b0f9c55-8d5c-4a6e-9d3b-0a8a4c6f2d10'

async function claim() {
  const { rows } = await db.query<{ turn: { turnId: number } | null }>(
    'select portal.claim_turn($1, $2) as turn',
    [CLAIMER, new Date(talk.clock.now() + 9_000).toISOString()],
  )
  return rows[0]!.turn
}
const saysNothing = (reason = 'agradeceu') => ({ calls: [{ name: 'nada_a_dizer', args: { reason } }] })

test('a lead that only thanks gets no answer and no broker and does not wait, with the reason in the turn', async () => {
  const lead = await talk.lead()
  await talk.says(lead, 'Obrigada! 👍')
  talk.model.plan(saysNothing('o lead agradeceu'))
  await talk.pass(9)
  expect(await talk.turns(lead)).toMatchObject([{ state: 'silent', reason: 'o lead agradeceu', body: null }])
  expect([await talk.answers(lead), await talk.cases(lead), talk.queued]).toEqual([[], [], []])
  const { rows } = await db.query('select waiting_since from whatsapp_contacts where id = $1', [lead])
  expect(rows).toEqual([{ waiting_since: null }])
  // The next message is answered as usual.
  await talk.says(lead, 'Quanto custa?')
  await talk.pass(9)
  expect(await talk.answers(lead)).toHaveLength(1)
})

test('a question must be answered: the model is told so and answers', async () => {
  const lead = await talk.lead()
  await talk.says(lead, 'Obrigada! E tem vaga?')
  talk.model.plan(saysNothing(), { text: 'Tem, sim. É para morar?' })
  await talk.pass(9)
  expect(talk.model.asked[1]!.body.messages.at(-1)).toMatchObject({
    role: 'tool',
    content: 'O lead perguntou algo: responda ou chame o corretor.',
  })
  expect(await talk.turns(lead)).toMatchObject([{ state: 'sent' }])
})

test.each(['before', 'after'])(
  'a lead that was promised a broker gets that message, although silence was requested %s',
  async (order) => {
    const lead = await talk.lead()
    await talk.says(lead, 'Ok, obrigada')
    const call = { name: 'chamar_corretor', args: { quer: 'a tabela', dito: '', falta: '' } }
    const silence = saysNothing().calls[0]!
    const calls = order === 'after' ? [call, silence] : [silence, call]
    talk.model.plan({ calls }, { text: 'Vou chamar o corretor.' })
    await talk.pass(9)
    expect(await talk.turns(lead)).toMatchObject([{ state: 'sent', reason: 'handed-over' }])
    expect(await talk.cases(lead)).toEqual(['waiting'])
  },
)

test('an empty text without the tool is a failure, and words like a code are only words', async () => {
  const lead = await talk.lead()
  await talk.says(lead, 'Ok')
  talk.model.plan({ text: '' })
  await talk.pass(9)
  expect((await talk.turns(lead))[0]).toMatchObject({ state: 'refused', reason: 'empty' })
  const other = await talk.lead()
  await talk.says(other, 'Ok')
  talk.model.plan(saysNothing('off'))
  await talk.pass(9)
  expect(await talk.turns(other)).toMatchObject([{ state: 'silent', reason: 'off' }])
  expect(await talk.cases(other)).toEqual([])
})

test("a message during the model's choice of silence is answered", async () => {
  const lead = await talk.lead()
  await talk.says(lead, 'Obrigada')
  talk.model.plan(saysNothing())
  const turn = await claim()
  await talk.says(lead, 'E a entrega?')
  await db.query(
    `select portal.settle_answer($1, $2, now() + interval '9 seconds', 'silent', 'agradeceu', null, '[]')`,
    [turn?.turnId ?? 0, CLAIMER],
  )
  expect(await talk.turns(lead)).toMatchObject([{ state: 'stale', reason: 'newer' }, { state: 'waiting' }])
})

// Only a native Postgres has two transactions at once.
onPostgres.test('a turn is not claimed while another transaction changes its lead', async () => {
  const lead = await talk.lead()
  await talk.says(lead, 'Oi')
  await db.transaction(async (query) => {
    await query('select from whatsapp_contacts where id = $1 for no key update', [lead])
    expect(await claim()).toBeNull()
  })
  expect(await claim()).toMatchObject({ turnId: expect.any(Number) })
})

test('every kind of message has a decision whether it wakes an agent', async () => {
  const SAID: Record<keyof typeof KIND_LABEL, boolean> = {
    text: true,
    image: true,
    video: true,
    audio: true,
    document: true,
    sticker: true,
    contact: true,
    location: true,
    call: false,
    note: false,
    unsupported: false,
    deleted: false,
  }
  const { rows } = await db.query<{ kind: string; said: boolean }>(
    `select k as kind, portal.is_said(jsonb_populate_record(null::whatsapp_messages, jsonb_build_object('kind', k))) as said
    from unnest($1::text[]) as k`,
    [`{${Object.keys(KIND_LABEL).join(',')}}`],
  )
  expect(Object.fromEntries(rows.map(({ kind, said }) => [kind, said]))).toEqual(SAID)
})
