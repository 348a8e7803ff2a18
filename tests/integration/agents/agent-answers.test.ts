// An agent that answers by itself: when it may, when it stops, and when a broker is called.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openTalk, type Talk, failTurn } from '#tests/support/agent-dialogue.ts'
import { openTalks } from '#tests/support/agent-talks.ts'
import { onBehalf } from '#server/db/as-user.ts'
import { untilLateInSecond } from '#tests/support/database.ts'
import { makeBroker, makeDevelopment, signIn, signInAdmin } from '#tests/support/make.ts'
import { eventually } from '#tests/support/eventually.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'

const { db, nextTalk } = await openTalks()
let talk: Talk
beforeEach(async () => {
  talk = await nextTalk()
})
const INTRO = 'Sou o assistente da equipe do Mirante. '

test('four messages get one answer, eight seconds after the last, in the name of an assistant', async () => {
  const lead = await talk.lead()
  for (const body of ['Oi', 'tudo bem?', 'tem 3 quartos', 'com vaga?']) await talk.says(lead, body)
  await talk.pass(7)
  expect(await talk.turns(lead)).toMatchObject([{ state: 'waiting', bubbles: 4 }])
  talk.model.plan({ text: 'Temos, com duas vagas. É para morar?' })
  await talk.pass(2)
  expect(await talk.answers(lead)).toEqual([`${INTRO}Temos, com duas vagas. É para morar?`])
  expect(await talk.turns(lead)).toMatchObject([{ state: 'sent', reason: null }])
  expect(talk.queued).toEqual([talk.broker.instanceName])
  expect(talk.model.asked).toHaveLength(1)
  expect(talk.model.asked[0]!.body.messages.slice(1).map(({ content }) => content)).toEqual(
    ['Oi', 'tudo bem?', 'tem 3 quartos', 'com vaga?'].map((body) => `<lead>${body}</lead>`),
  )
  // The introduction comes once.
  await talk.says(lead, 'Para morar')
  await talk.pass(9)
  expect((await talk.answers(lead))[1]).toBe('Tudo bem?')
  expect(await talk.cases(lead)).toEqual([])
})

test('a lead that keeps writing is answered forty seconds after the first message', async () => {
  const lead = await talk.lead()
  await talk.says(lead, 'Oi')
  await db.query(
    `update portal.agent_turns set began_at = began_at - interval '36 seconds', due_at = due_at - interval '36 seconds'`,
  )
  await talk.says(lead, 'e mais')
  await talk.pass(5)
  expect(await talk.turns(lead)).toMatchObject([{ state: 'sent', bubbles: 2 }])
})

/** The lead writes while the model works on its turn. */
async function saysDuringWork(lead: Parameters<typeof talk.says>[0], text: string) {
  talk.model.plan({ silent: true })
  const worker = talk.another()
  talk.clock.advance(9_000)
  worker.wake()
  await eventually(() => expect(talk.model.asked).toHaveLength(1))
  await talk.says(lead, text)
  talk.clock.advance(20_000)
  await worker.settled()
}

test("a message during the model's work discards its answer, and both messages are answered once", async () => {
  const lead = await talk.lead()
  await talk.says(lead, 'Quanto custa?')
  await saysDuringWork(lead, 'e a entrega?')
  await talk.pass(9)
  expect(await talk.turns(lead)).toMatchObject([{ state: 'stale', reason: 'newer' }, { state: 'sent' }])
  expect(await talk.answers(lead)).toHaveLength(1)
})

test('after two minutes of constant writing it answers anyway', async () => {
  const lead = await talk.lead()
  await talk.says(lead, 'Oi')
  await db.query(`update portal.agent_turns set began_at = began_at - interval '3 minutes'`)
  await saysDuringWork(lead, 'e mais isto')
  expect((await talk.turns(lead))[0]).toMatchObject({ state: 'sent' })
})

describe('a person takes the conversation over', () => {
  test.each(['before', 'while'])('%s the model is working', async (when) => {
    const lead = await talk.lead()
    await talk.says(lead, 'Oi')
    if (when === 'before') await talk.human(lead)
    talk.model.plan({ silent: true })
    const worker = talk.another()
    talk.clock.advance(9_000)
    worker.wake()
    if (when === 'while') {
      await eventually(() => expect(talk.model.asked).toHaveLength(1))
      await talk.human(lead)
      talk.clock.advance(20_000)
    }
    await worker.settled()
    expect(await talk.turns(lead)).toMatchObject([{ state: 'stale', reason: 'human' }])
    // And it stays silent for a day.
    await talk.says(lead, 'Obrigado')
    await talk.pass(9)
    expect(await talk.answers(lead)).toEqual([])
    expect(await talk.cases(lead)).toEqual([])
  })

  test('while the answer is queued: it is never sent', async () => {
    const lead = await talk.lead()
    await talk.says(lead, 'Oi')
    await talk.pass(9)
    expect(await talk.answers(lead)).toHaveLength(1)
    await talk.human(lead)
    const { rows } = await db.query<{ message: object | null }>(
      'select portal.claim_message($1, $2, 60) as message',
      [talk.broker.instanceName, randomUUID()],
    )
    expect(rows[0]!.message).toBeNull()
    expect(await talk.turns(lead)).toMatchObject([{ state: 'stale', reason: 'human', message_id: null }])
    expect(await talk.answers(lead)).toEqual([])
  })
})

test("its own message reported in any form does not count as a person's", async () => {
  const lead = await talk.lead()
  await talk.says(lead, 'Oi')
  await talk.pass(9)
  const [answer = ''] = await talk.answers(lead)
  const { rows } = await db.query<{ message: { id: number } }>(
    'select portal.claim_message($1, $2, 60) as message',
    [talk.broker.instanceName, randomUUID()],
  )
  const pauses = async () => (await db.query('select from portal.agent_pauses')).rows.length
  const now = Math.floor(Date.now() / 1000)
  const echo = (messageId: string, jid: string) =>
    db.query('select portal.apply_event($1, $2::jsonb)', [
      talk.broker.instanceName,
      JSON.stringify({
        event: 'message',
        messageId,
        chat: { remoteJid: jid, jids: [jid], ownJid: '5511900000001@s.whatsapp.net' },
        fromMe: true,
        isViaApi: false,
        sentAtSeconds: now,
        pushName: null,
        delivery: 'sent',
        quoted: null,
        ad: null,
        raw: null,
        kind: 'text',
        body: answer,
        content: null,
      }),
    ])
  // Before the gateway's answer, under an unknown hidden id; twice; then the answer; then late, by the number.
  await echo('G-1', '778899@lid')
  await echo('G-1', '778899@lid')
  expect(await pauses()).toBe(0)
  const number = (
    await db.query<{ number: string }>('select number from whatsapp_contacts where id = $1', [lead])
  ).rows[0]!.number
  await db.query('select portal.settle_sent($1, $2, $3, $4)', [
    rows[0]!.message.id,
    'G-1',
    `${number}@s.whatsapp.net`,
    now,
  ])
  await echo('G-1', `${number}@s.whatsapp.net`)
  await echo('G-1', '778899@lid')
  expect(await pauses()).toBe(0)
  expect((await db.query(`select author from whatsapp_messages where type = 'outgoing'`)).rows).toEqual([
    { author: 'agent' },
  ])
  await talk.says(lead, 'E a vaga?')
  await talk.pass(9)
  expect(await talk.answers(lead)).toHaveLength(2)
})

describe('a broker is called', () => {
  const asksAndPasses = async (body = 'Quanto custa?', seconds = 9) => {
    const lead = await talk.lead()
    await talk.says(lead, body)
    await talk.pass(seconds)
    return lead
  }

  test('a request for a person during a queued answer is recognised', async () => {
    const lead = await talk.lead()
    await talk.says(lead, 'E piscina?')
    await talk.pass(9)
    await talk.says(lead, 'Quero falar com um corretor')
    // The phone sent the answer only then.
    await db.query(
      `update public.whatsapp_messages set "timestamp" = 5 + (
         select max(m."timestamp") from public.whatsapp_messages m where m.contact_id = $1)
       where contact_id = $1 and author = 'agent'`,
      [lead],
    )
    await talk.pass(9)
    expect(await talk.turns(lead)).toMatchObject([
      { state: 'sent', reason: null },
      { state: 'sent', reason: 'person' },
    ])
  })

  test('in the turn in which the lead asks for a person, without the model', async () => {
    const lead = await asksAndPasses('Quero falar com um corretor')
    expect(await talk.answers(lead)).toEqual([
      `${INTRO}Claro. Vou chamar um corretor para falar com você por aqui.`,
    ])
    expect(await talk.turns(lead)).toMatchObject([{ state: 'sent', reason: 'person' }])
    expect(await talk.cases(lead)).toEqual(['waiting'])
    expect((await db.query('select wants, said from portal.agent_handovers')).rows).toEqual([
      { wants: 'Quero falar com um corretor', said: '' },
    ])
    expect(talk.model.asked).toHaveLength(0)
    // From then on a person has the conversation.
    await talk.says(lead, 'Alô?')
    await talk.pass(9)
    expect(await talk.turns(lead)).toHaveLength(1)
  })

  test('when the model hands over, with a card', async () => {
    talk.model.plan(
      {
        calls: [
          {
            name: 'chamar_corretor',
            args: { quer: '3 quartos', dito: 'a partir de', falta: 'se aceita carta' },
          },
        ],
      },
      { text: 'Vou chamar o corretor, que responde por aqui.' },
    )
    const lead = await asksAndPasses('Aceitam carta de crédito?')
    expect(await talk.turns(lead)).toMatchObject([{ state: 'sent', reason: 'handed-over' }])
    expect(await talk.cases(lead)).toEqual(['waiting'])
    expect((await db.query('select wants, said, missing from portal.agent_handovers')).rows).toEqual([
      { wants: '3 quartos', said: 'a partir de', missing: 'se aceita carta' },
    ])
    // The broker who takes over sees it until a person has written; nobody else does.
    const [bia, camila] = [await makeBroker(db), await makeBroker(db)]
    await db.query('update whatsapp_contacts set "instanceName" = $1', [camila.instanceName])
    const card = async (who: { id: string }) =>
      (
        await onBehalf(db, await signIn(db, who), (query) =>
          query('select portal.handover_of($1) as card', [lead]),
        )
      ).rows[0]
    expect(await card(camila)).toMatchObject({ card: { wants: '3 quartos', missing: 'se aceita carta' } })
    await expect(card(bia)).rejects.toThrow('Lead não encontrado.')
    await talk.human(lead)
    expect(await card(camila)).toEqual({ card: null })
  })

  test('when its text was refused twice', async () => {
    talk.model.plan({ text: 'Faço por R$ 500 mil.' }, { text: 'Reservei para você.' })
    const lead = await asksAndPasses()
    expect(await talk.cases(lead)).toEqual([])
    await talk.pass(9)
    expect(await talk.turns(lead)).toMatchObject([
      { state: 'refused', reason: 'price', body: 'Faço por R$ 500 mil.' },
      { state: 'refused', reason: 'promise' },
    ])
    expect(await talk.cases(lead)).toEqual(['waiting'])
    expect(await talk.answers(lead)).toEqual([])
  })

  test('when the model is down: within two minutes, and no lead is lost', async () => {
    const away = Array.from({ length: 2 }, () => ({ status: 503 }))
    talk.model.plan(...away)
    const lead = await asksAndPasses()
    expect(await talk.turns(lead)).toMatchObject([{ state: 'failed', reason: 'failed' }])
    expect(await talk.cases(lead)).toEqual(['waiting'])
  })

  test('when a model calls tools endlessly, calls an unknown one, or says nothing', async () => {
    const calls = { calls: [{ name: 'apagar_tudo', args: 'x' }] }
    talk.model.plan(calls, calls, calls, calls)
    const lead = await asksAndPasses()
    expect(await talk.turns(lead)).toMatchObject([{ state: 'refused', reason: 'too-many-steps' }])
    expect(await talk.cases(lead)).toEqual(['waiting'])
    expect(talk.model.asked.at(-1)!.body.messages.at(-1)!.content).toBe('Esta ferramenta não existe.')
  })

  test('when the agent stops answering: budget spent, switched off, paused', async () => {
    for (const silence of [
      `update portal.agent_settings set month_limit_micros = 0`,
      `update portal.agent_settings set month_limit_micros = null, mode = 'off'`,
      `update portal.agent_settings set mode = 'answer'; update public.prompts_agents set paused_at = now()`,
    ]) {
      const lead = await talk.lead()
      await talk.says(lead, 'Oi')
      await db.exec(silence)
      await talk.pass(9)
      expect([silence, await talk.cases(lead)]).toEqual([silence, ['waiting']])
      expect(await talk.answers(lead)).toEqual([])
      // New leads then go to the rotation at once.
      const other = await talk.lead()
      await talk.says(other, 'Oi')
      expect(await talk.cases(other)).toEqual(['waiting'])
      await db.exec(
        `update portal.agent_settings set mode = 'answer', month_limit_micros = null; update public.prompts_agents set paused_at = null`,
      )
    }
  })
})

test('a lead waiting for a removed agent gets a broker, whether its turn waits or runs', async () => {
  const [waits, thought] = [await talk.lead(), await talk.lead()]
  await talk.says(thought, 'Oi')
  talk.model.plan({ silent: true })
  const worker = talk.another()
  talk.clock.advance(9_000)
  worker.wake()
  await eventually(() => expect(talk.model.asked).toHaveLength(1))
  await talk.says(waits, 'Oi')
  await db.query('delete from public.prompts_agents where id = $1', [talk.agent.id])
  expect([await talk.cases(waits), await talk.cases(thought)]).toEqual([['waiting'], ['waiting']])
  talk.clock.advance(50_000)
  await worker.settled()
  expect([await talk.answers(waits), await talk.answers(thought)]).toEqual([[], []])
})

test('an opt-out ends it: nothing is sent, nobody is called', async () => {
  const lead = await talk.lead()
  await talk.says(lead, 'SAIR')
  await db.query('select portal.opt_out($1, extract(epoch from now())::bigint)', [lead])
  await talk.pass(9)
  expect(await talk.turns(lead)).toMatchObject([{ state: 'refused', reason: 'opted-out' }])
  expect([await talk.answers(lead), talk.model.asked.length]).toEqual([[], 0])
})

test('the same text is not sent twice', async () => {
  const lead = await talk.lead()
  for (const body of ['Oi', 'E aí?']) {
    talk.model.plan({ text: 'Sou o assistente. Posso ajudar?' })
    await talk.says(lead, body)
    await talk.pass(9)
  }
  expect(await talk.turns(lead)).toMatchObject([
    { state: 'sent' },
    { state: 'refused', reason: 'repeated' },
    { state: 'waiting' },
  ])
  expect(await talk.answers(lead)).toHaveLength(1)
})

test("a fact that was removed during the model's work is not stated", async () => {
  await db.query(
    `insert into portal.agent_facts (agent_id, label, value, is_price, valid_until) values ($1, 'Preço', 'R$ 598 mil', true, '2090-01-01')`,
    [talk.agent.id],
  )
  const lead = await talk.lead()
  await talk.says(lead, 'Quanto?')
  talk.model.plan({ silent: true }, { text: 'A partir de R$ 598 mil.' })
  const worker = talk.another()
  talk.clock.advance(9_000)
  worker.wake()
  await eventually(() => expect(talk.model.asked).toHaveLength(1))
  await db.exec(`update portal.agent_facts set value = 'R$ 640 mil'`)
  talk.clock.advance(20_000)
  await worker.settled()
  expect((await talk.turns(lead))[0]).toMatchObject({ state: 'refused', reason: 'price' })
  expect(await talk.answers(lead)).toEqual([])
})

test('tools act once per turn, and their texts are masked in requests', async () => {
  await db.query(
    `insert into portal.agent_facts (agent_id, label, value) values ($1, 'Vagas', 'duas por unidade')`,
    [talk.agent.id],
  )
  const lead = await talk.lead({ notes: 'ligar (11) 98765-4321' })
  talk.model.plan(
    {
      calls: [
        { name: 'buscar_fatos', args: { tema: 'vaga' } },
        { name: 'anotar_interesse', args: { texto: '3 quartos, [telefone 1]' } },
        { name: 'anotar_interesse', args: { texto: 'outra vez' } },
        { name: 'lembrar', args: { texto: 'retomar' } },
      ],
    },
    { text: 'Duas por unidade.' },
  )
  await talk.says(lead, 'Quantas vagas?')
  await talk.pass(9)
  const results = talk.model.asked[1]!.body.messages.filter(({ role }) => role === 'tool')
  expect(results.map(({ content }) => content)).toEqual([
    'Vagas: duas por unidade',
    'Anotado.',
    'Anotado.',
    'Lembrete criado para amanhã.',
  ])
  const seen = await onBehalf(db, await signInAdmin(db), (query) =>
    query('select portal.agent_turns_of($1, $2) as turns', [talk.agent.id, lead]),
  )
  expect(seen.rows[0]).toMatchObject({
    turns: [
      {
        state: 'sent',
        steps: [{ name: 'buscar_fatos' }, { name: 'anotar_interesse' }, { name: 'lembrar' }],
        inputTokens: 2_000,
      },
    ],
  })
  const { rows } = await db.query('select notes, next from whatsapp_contacts where id = $1', [lead])
  expect(rows).toMatchObject([
    {
      notes: 'ligar (11) 98765-4321\nAssistente: 3 quartos, (11) 98765-4321',
      next: [{ kind: 'task', note: 'retomar' }],
    },
  ])
})

test('who asks for pictures is promised material, and the broker gets it as a due action', async () => {
  const lead = await talk.lead()
  const asks = async () => {
    await talk.says(lead, 'Tem fotos?')
    talk.model.plan(
      { calls: [{ name: 'material', args: { o_que: 'fotos' } }] },
      { text: 'O corretor vai mandar as fotos por aqui.' },
    )
    await talk.pass(9)
    return talk.model.asked.at(-1)!.body.messages.findLast(({ role }) => role === 'tool')?.content
  }
  expect(await asks()).toBe('Não há material cadastrado: chame o corretor.')
  const { id } = await makeDevelopment(db, { name: 'Mirante' })
  await db.query(
    `insert into public.development_media (development_id, kind, place, media_id, mime_type, file_name, size_bytes)
     values ($1, 'foto', 1, repeat('a', 64), 'image/jpeg', 'fachada.jpg', 9)`,
    [id],
  )
  expect(await asks()).toBe(
    'O corretor vai mandar o material do Mirante. Diga isso ao lead, sem prometer hora.',
  )
  expect((await talk.answers(lead)).at(-1)).toBe('O corretor vai mandar as fotos por aqui.')
  const { rows } = await db.query('select next from whatsapp_contacts where id = $1', [lead])
  expect(rows).toMatchObject([{ next: [{ kind: 'message', note: 'Mandar material: Mirante (fotos)' }] }])
})

test("after it is given back, it answers the lead's last message", async () => {
  const lead = await talk.lead()
  await talk.human(lead)
  await talk.says(lead, 'Ainda tem?')
  await talk.pass(9)
  expect(await talk.turns(lead)).toEqual([])
  await db.exec('delete from portal.agent_pauses')
  await db.query('select portal.plan_answer($1, now())', [lead])
  await talk.pass(9)
  expect(await talk.turns(lead)).toMatchObject([{ state: 'sent' }])
})

test.each(['before', 'after'])(
  'taken %s a message it calls nobody, and given back it answers',
  async (when) => {
    const admin = await signInAdmin(db)
    const lead = await talk.lead()
    const take = (isTaken: boolean) =>
      onBehalf(db, admin, (query) =>
        query('select public.pause_conversation($1, $2, $3)', [talk.agent.id, lead, isTaken]),
      )
    await talk.says(lead, 'Oi')
    // An answer dated with the next second would come after the lead's message in this second.
    await untilLateInSecond(db)
    await talk.pass(9)
    if (when === 'after') await talk.says(lead, 'Ainda tem?')
    await take(true)
    if (when === 'before') await talk.says(lead, 'Ainda tem?')
    await talk.pass(9)
    expect(await talk.answers(lead)).toHaveLength(1)
    expect(await talk.cases(lead)).toEqual([])
    await take(false)
    await talk.pass(9)
    expect(await talk.answers(lead)).toHaveLength(2)
    expect(await talk.cases(lead)).toEqual([])
  },
)

test("if a portal ends during the model's work, another repeats the turn, three times in all", async () => {
  const lead = await talk.lead()
  await talk.says(lead, 'Oi')
  const claim = (at: number) =>
    db.query('select portal.claim_turn($1, $2) as turn', [randomUUID(), new Date(at).toISOString()])
  let at = talk.clock.now() + 9_000
  for (let tried = 0; tried < 3; tried++, at += 151_000) {
    expect((await claim(at)).rows[0]).toMatchObject({ turn: { kind: 'answer' } })
    expect((await claim(at)).rows[0]).toEqual({ turn: null })
  }
  expect((await claim(at)).rows[0]).toEqual({ turn: {} })
  expect(await talk.turns(lead)).toMatchObject([{ state: 'failed', reason: 'interrupted' }])
  expect(await talk.cases(lead)).toEqual(['waiting'])
})

test('late or reread messages are not answered, nor does an agent answer outside its hours', async () => {
  const lead = await talk.lead()
  await talk.says(lead, 'De ontem', { timestamp: Math.floor(Date.now() / 1000) - 86_400 })
  expect(await talk.turns(lead)).toEqual([])
  const isAfter = async (at: string) =>
    (await db.query<{ is: boolean }>('select portal.is_after_hours($1) as is', [at])).rows[0]!.is
  // 2026-11-23 is a Monday; São Paulo is three hours behind UTC.
  expect(
    await Promise.all(
      [
        '2026-11-23T22:59:00Z',
        '2026-11-23T23:00:00Z',
        '2026-11-24T10:59:00Z',
        '2026-11-24T11:00:00Z',
        '2026-11-22T15:00:00Z',
      ].map(isAfter),
    ),
  ).toEqual([false, true, true, false, true])
})

describe("on a broker's own number", () => {
  const NIGHT = Date.parse('2026-11-24T02:00:00Z')
  const NOON = Date.parse('2026-11-24T15:00:00Z')
  let own: { id: string; instanceName: string }
  let lead: number
  /** The trigger uses the current time when the lead writes; here it is asked for another hour. */
  const plan = async (atMs: number) =>
    (
      await db.query<{ agent: number | null }>('select portal.answering_agent($1, $2) as agent', [
        lead,
        new Date(atMs).toISOString(),
      ])
    ).rows[0]!.agent
  const turnOn = (isOn: boolean) =>
    signIn(db, own).then((claims) =>
      onBehalf(db, claims, (query) => query('select portal.set_own_assistant($1)', [isOn])),
    )
  beforeEach(async () => {
    own = await makeBroker(db)
    lead = await talk.lead({ instanceName: own.instanceName, empreendimento: 'Mirante' })
  })

  test('nothing answers until the broker allows it, and then outside working hours only', async () => {
    expect(await plan(NIGHT)).toBeNull()
    await turnOn(true)
    await turnOn(true)
    expect([await plan(NIGHT), await plan(NOON)]).toEqual([talk.agent.id, null])
    // By day it answers on its central instance only, in every mode.
    await db.query(`update portal.agent_settings set mode = 'suggest'`)
    expect(await plan(NIGHT)).toBeNull()
    await db.query(`update portal.agent_settings set mode = 'after_hours'`)
    expect(await plan(NIGHT)).toBe(talk.agent.id)
    await turnOn(false)
    expect(await plan(NIGHT)).toBeNull()
  })

  test('an administrator cannot turn it on for a broker', async () => {
    const admin = await signInAdmin(db)
    const asked = onBehalf(db, admin, (query) => query('select portal.set_own_assistant(true)', []))
    await expect(asked).rejects.toMatchObject({ code: 'PT403' })
  })

  test('after a hand-over it is silent, and the broker sees the card until the broker writes', async () => {
    await turnOn(true)
    await talk.says(lead, 'Oi', { instanceName: own.instanceName })
    await failTurn(db, { agentId: talk.agent.id, lead, instanceName: own.instanceName })
    expect(await talk.cases(lead)).toEqual([])
    expect(await plan(NIGHT)).toBeNull()
    const claims = await signIn(db, own)
    const card = async () =>
      (
        await onBehalf(db, claims, (query) =>
          query<{ card: object | null }>('select portal.handover_of($1) as card', [lead]),
        )
      ).rows[0]!.card
    expect(await card()).toMatchObject({ wants: 'Oi' })
    await talk.human(lead, 'Bom dia', { instanceName: own.instanceName })
    expect(await card()).toBeNull()
    // After a person's message, the broker has the lead for a day.
    const { rows } = await db.query('select from portal.agent_pauses')
    expect(rows).toHaveLength(1)
  })
})

test.runIf(isDeepRun)(
  'the model is down for ten minutes: no lead is lost, and a broker is called for each within two',
  async () => {
    await db.exec('delete from public.prompts_agents')
    const away = await openTalk(db, () => ({ status: 503 }))
    onTestFinished(away.close)
    const called: number[] = []
    for (let minute = 0; minute < 10; minute++) {
      const lead = await away.lead()
      await away.says(lead, `Oi, minuto ${minute}`)
      const wroteAtMs = away.clock.now()
      while ((await away.cases(lead)).length === 0 && away.clock.now() - wroteAtMs < 600_000)
        await away.pass(5)
      called.push(away.clock.now() - wroteAtMs)
      expect(await away.turns(lead)).toMatchObject([{ state: 'failed', body: null }])
      expect(await away.answers(lead)).toEqual([])
      await away.pass(60)
    }
    expect(called).toHaveLength(10)
    expect(Math.max(...called)).toBeLessThanOrEqual(120_000)
    // Each card contains what the lead said.
    const { rows } = await db.query<{ wants: string }>('select wants from portal.agent_handovers order by id')
    expect(rows.map(({ wants }) => wants)).toEqual(called.map((_, minute) => `Oi, minuto ${minute}`))
  },
)
