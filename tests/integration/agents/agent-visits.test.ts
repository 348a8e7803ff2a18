// An agent books a visit: in the hours of the broker chosen by the rotation, once per turn despite repeats, and
// confirms nothing else.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { Talk } from '#tests/support/agent-dialogue.ts'
import { openTalks } from '#tests/support/agent-talks.ts'
import { makeBroker } from '#tests/support/make.ts'

const { db, nextTalk } = await openTalks()
let talk: Talk
let camila: { instanceName: string }
beforeEach(async () => {
  talk = await nextTalk()
  camila = await makeBroker(db)
  await db.exec(`insert into public.roletas (empreendimento, ativa) values ('Mirante', true)`)
  await db.query(
    `insert into public.roleta_corretores ("roletaName", "instanceName", ordem) values ('Mirante', $1, 1)`,
    [camila.instanceName],
  )
  await db.query(
    `insert into portal.instance_states ("instanceName", state) values ($1, 'open')
     on conflict ("instanceName") do update set state = 'open', dead_at = null`,
    [camila.instanceName],
  )
})

/** The day after tomorrow in the portal's zone by the test's clock, and a free hour of it. */
const DAY = async () =>
  (
    await db.query<{ day: string }>(
      `select to_char(($1::timestamptz at time zone portal.time_zone())::date + 2, 'YYYY-MM-DD') as day`,
      [new Date(talk.clock.now()).toISOString()],
    )
  ).rows[0]!.day
const books = (dia: string, hora = '10:00') => ({
  calls: [{ name: 'agendar_visita', args: { dia, hora, lugar: 'Estande' } }],
})
const asks = async (body = 'Posso visitar às 10h?') => {
  const lead = await talk.lead({ empreendimento: 'Mirante' })
  await talk.says(lead, body)
  await talk.pass(9)
  return lead
}
const visits = async () =>
  (
    await db.query<{ held_for: string | null; note: string; at: string }>(
      `select v.held_for, a.note, to_char(a.due_at at time zone portal.time_zone(), 'YYYY-MM-DD HH24:MI') as at
       from portal.visits v join portal.actions a on a.id = v.action_id where a.finished_at is null order by a.id`,
    )
  ).rows
const owner = async () =>
  (await db.query<{ instanceName: string }>('select "instanceName" from public.whatsapp_contacts')).rows.map(
    ({ instanceName }) => instanceName,
  )

test('booked in the chosen broker’s hours, confirmed, and the lead goes to that broker with a card', async () => {
  const day = await DAY()
  talk.model.plan({ calls: [{ name: 'agendar_visita', args: {} }] }, books(day), {
    text: 'Sua visita está agendada para as 10h, no estande.',
  })
  const lead = await asks()
  expect(await talk.turns(lead)).toMatchObject([{ state: 'sent', reason: 'booked' }])
  const toolAnswers = talk.model.asked.at(-1)!.body.messages.filter(({ role }) => role === 'tool')
  expect(toolAnswers[0]!.content).toMatch(/^Horários livres: (?:20\d\d-\d\d-\d\d \d\d:00(?:, |\.$)){6}/)
  expect(toolAnswers[1]!.content).toBe(`Visita agendada: ${day} 10:00.`)
  expect(await visits()).toEqual([{ held_for: camila.instanceName, note: 'Estande', at: `${day} 10:00` }])
  expect(await owner()).toEqual([camila.instanceName])
  expect((await db.query('select wants from portal.agent_handovers')).rows).toEqual([
    { wants: 'Posso visitar às 10h?' },
  ])
})

test('a taken hour or one outside the week is not booked, and a promise of it is refused', async () => {
  const day = await DAY()
  talk.model.plan(books(day), { text: 'Agendei para as 10h.' })
  await asks()
  talk.model.plan(books(day), books(day, '23:00'), { text: 'Sua visita está agendada para as 10h.' })
  const other = await asks()
  expect((await talk.turns(other))[0]).toMatchObject({ state: 'refused', reason: 'promise' })
  expect(await visits()).toHaveLength(1)
  const toolAnswers = talk.model.asked.at(-1)!.body.messages.filter(({ role }) => role === 'tool')
  expect(toolAnswers.map(({ content }) => content.split('.')[0])).toEqual(
    Array.from({ length: 2 }, () => 'Este horário não está livre'),
  )
})

test('while the lead is still with the instance the hour is taken for every other lead', async () => {
  const day = await DAY()
  talk.model.plan(books(day), books(day, '15:00'), { text: 'Agendei para as 15h.' })
  const lead = await asks()
  // Another hour in the same turn is no second visit, and a text about it is refused.
  expect(await visits()).toMatchObject([{ at: `${day} 10:00` }])
  expect((await talk.turns(lead))[0]).toMatchObject({ state: 'refused', reason: 'promise' })
  expect(await owner()).toEqual([talk.broker.instanceName])
  const { rows } = await db.query<{ is: boolean }>(
    `select portal.is_taken($1, ($2 || ' 10:00')::timestamp at time zone portal.time_zone(), null) as is`,
    [camila.instanceName, day],
  )
  expect(rows).toEqual([{ is: true }])
  // The next attempt knows the visit as a fact.
  talk.model.plan({ text: 'Sua visita está agendada para as 10h.' })
  await talk.pass(9)
  expect((await talk.turns(lead))[1]).toMatchObject({ state: 'sent' })
})

test('a portal ends after booking: the next one books nothing more and confirms it', async () => {
  const day = await DAY()
  const lead = await talk.lead({ empreendimento: 'Mirante' })
  await talk.says(lead, 'Pode ser às 10h?')
  const claim = async (claimer: string, at: number) =>
    (
      await db.query<{ turn: { turnId: number; visit: string | null } }>(
        'select portal.claim_turn($1, $2) as turn',
        [claimer, new Date(at).toISOString()],
      )
    ).rows[0]!.turn
  const tool = async (claimer: string, id: number) =>
    (
      await db.query<{ answer: string | null }>(
        `select portal.turn_tool($1, $2, 'agendar_visita', $3::jsonb, $4) as answer`,
        [
          id,
          claimer,
          JSON.stringify({ dia: day, hora: '10:00', choice: { broker: camila.instanceName } }),
          new Date(talk.clock.now()).toISOString(),
        ],
      )
    ).rows[0]!.answer
  const [gone, next] = [randomUUID(), randomUUID()]
  const first = await claim(gone, talk.clock.now() + 9_000)
  expect([await tool(gone, first.turnId), await tool(gone, first.turnId)]).toEqual(
    Array.from({ length: 2 }, () => `Visita agendada: ${day} 10:00.`),
  )
  const again = await claim(next, talk.clock.now() + 170_000)
  expect(again).toMatchObject({ turnId: first.turnId, visit: `${day} 10:00` })
  expect([await tool(gone, first.turnId), await tool(next, first.turnId)]).toEqual([
    null,
    `Visita agendada: ${day} 10:00.`,
  ])
  expect(await visits()).toHaveLength(1)
})

test("a visit cancelled during the model's work is not confirmed", async () => {
  const day = await DAY()
  const lead = await talk.lead({ empreendimento: 'Mirante' })
  await talk.says(lead, 'Às 10h?')
  const claimer = randomUUID()
  const at = new Date(talk.clock.now() + 9_000).toISOString()
  await db.query('select portal.claim_turn($1, $2)', [claimer, at])
  const id = (await talk.turns(lead))[0]!.id
  await db.query(`select portal.turn_tool($1, $2, 'agendar_visita', $3::jsonb, $4)`, [
    id,
    claimer,
    JSON.stringify({ dia: day, hora: '10:00', choice: { broker: camila.instanceName } }),
    at,
  ])
  await db.exec(`update portal.actions set finished_at = now(), outcome = 'removed' where kind = 'visit'`)
  const { rows } = await db.query<{ end: object }>(
    `select portal.settle_answer($1, $2, $3, 'sent', 'booked', 'Sua visita está agendada.', '[]') as end`,
    [id, claimer, at],
  )
  expect(rows[0]!.end).toMatchObject({ state: 'refused', reason: 'promise' })
})

test('a conversation is ended once; an opt-out in a voice message is recognised by us, and no model can request one', async () => {
  talk.model.plan(
    {
      calls: [
        { name: 'encerrar', args: {} },
        { name: 'sair', args: {} },
      ],
    },
    { text: 'Até logo!' },
  )
  await asks('Obrigado, era só isso')
  expect((await db.query('select kind, outcome from portal.actions')).rows).toEqual([
    { kind: 'none', outcome: 'not_needed' },
  ])
  expect((await db.query('select from portal.people where opted_out_at is not null')).rows).toEqual([])
  const asked = talk.model.asked.length
  const lead = await talk.lead()
  const heard = await talk.says(lead, '', { kind: 'audio' })
  await db.query(
    `insert into portal.transcripts (message_id, body, model) values ($1, 'Me tira da lista', 'x')`,
    [(heard as { id: number }).id],
  )
  await talk.pass(9)
  expect(await talk.turns(lead)).toMatchObject([{ state: 'refused', reason: 'opted-out' }])
  expect((await db.query('select from portal.people where opted_out_at is not null')).rows).toHaveLength(1)
  expect(talk.model.asked).toHaveLength(asked)
})
