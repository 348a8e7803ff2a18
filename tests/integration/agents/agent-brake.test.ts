// Limits that stop an agent: too many answers to one person, and machines that answer it.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTalk, type Talk } from '#tests/support/agent-dialogue.ts'
import { openTalks } from '#tests/support/agent-talks.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { makeAdmin, makeBroker, signIn } from '#tests/support/make.ts'
import { onBehalf } from '#server/db/as-user.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'

const { db, nextTalk } = await openTalks()
let talk: Talk
beforeEach(async () => {
  talk = await nextTalk()
  await db.exec('delete from portal.push_queue')
})

const WORDS = ['azul', 'verde', 'amarelo', 'branco', 'preto', 'cinza', 'roxo', 'rosa', 'bege', 'vinho']
const pauses = async () =>
  (
    await db.query<{ reason: string; paused_until: string | null }>(
      'select reason, paused_until from portal.agent_pauses',
    )
  ).rows
/** A device that gets a person's pushes. */
const device = async (accountId: string) => {
  const session = String((await signIn(db, { id: accountId }))['session_id'])
  await db.query(
    `insert into portal.push_devices (session_id, endpoint, p256dh, auth, name) values ($1, $2, 'p', 'a', 'Celular')`,
    [session, `https://push.test/${randomUUID()}`],
  )
}
const notices = async () =>
  (await db.query<{ kind: string }>(`select kind from portal.push_queue where kind = 'machine'`)).rows.length

/** A new message that the agent may answer. */
async function round(lead: number, at: number) {
  talk.model.plan({ text: `Sou o assistente. Pergunta ${WORDS[at % 10]} ${'i'.repeat(at + 1)}?` })
  await talk.says(lead, `Fale do ${'abcdefghijklmnopqrstuvwxyz'.charAt(at).repeat(12 + at)}`)
  await talk.pass(9)
}

describe('at most six answers in ten minutes to one person', () => {
  test('then a broker is called, and nothing more is sent', async () => {
    const lead = await talk.lead()
    for (let at = 0; at < 8; at++) await round(lead, at)
    expect(await talk.answers(lead)).toHaveLength(6)
    expect((await talk.turns(lead)).at(-1)).toMatchObject({ state: 'refused', reason: 'braked' })
    expect(await talk.cases(lead)).toEqual(['waiting'])
    // For the seventh, the model is not even called.
    expect(talk.model.asked).toHaveLength(6)
    expect(await pauses()).toEqual([])
  })

  test('by the settings, counted over all numbers of the person, and restarted after a person of ours', async () => {
    await db.exec('update portal.agent_settings set most_in_ten_minutes = 2')
    const lead = await talk.lead()
    await round(lead, 0)
    await round(lead, 1)
    await talk.human(lead)
    await db.exec('delete from portal.agent_pauses')
    await round(lead, 2)
    await round(lead, 3)
    expect(await talk.answers(lead)).toHaveLength(4)
    // The person writes to another number of the agency, too.
    const other = await makeBroker(db)
    await db.query('update whatsapp_contacts set "instanceName" = $1 where id = $2', [
      other.instanceName,
      lead,
    ])
    const { rows } = await db.query(
      `select portal.is_braked($1, c.person_id, to_timestamp($3 / 1000.0)) as is from whatsapp_contacts c where id = $2`,
      [talk.agent.id, lead, talk.clock.now()],
    )
    expect(rows).toEqual([{ is: true }])
  })

  test('later it answers again, up to twenty a day', async () => {
    const lead = await talk.lead()
    for (let at = 0; at < 25; at++) {
      await round(lead, at)
      talk.clock.advance(3 * 60_000)
      if ((await talk.cases(lead)).length > 0) break
    }
    expect(await talk.answers(lead)).toHaveLength(20)
    expect((await talk.turns(lead)).at(-1)).toMatchObject({ reason: 'braked' })
  })
})

describe('an automatic reply', () => {
  const AWAY =
    'Agradecemos sua mensagem. Não estamos disponíveis no momento, mas responderemos assim que possível.'

  test('ends in a pause and one push to the broker; nothing is sent or distributed', async () => {
    const lead = await talk.lead()
    await device((await makeAdmin(db)).id)
    await talk.says(lead, 'Oi')
    await talk.pass(9)
    for (let times = 0; times < 3; times++) {
      await talk.says(lead, AWAY)
      await talk.pass(9)
    }
    expect(await talk.turns(lead)).toMatchObject([
      { state: 'sent' },
      { state: 'silent', reason: 'automatic' },
    ])
    expect(await talk.answers(lead)).toHaveLength(1)
    expect(await talk.cases(lead)).toEqual([])
    expect(await pauses()).toEqual([{ reason: 'automatic', paused_until: null }])
    expect(await notices()).toBe(1)
    const told = async () =>
      (
        await db.query<{ told: { pushes: object[] } }>(
          `select portal.claim_pushes(gen_random_uuid(), now() + interval '1 second', 30, 10) as told`,
        )
      ).rows[0]!.told.pushes
    expect(await told()).toMatchObject([
      { kind: 'machine', subject: lead, machine: { isAdmin: true, agentId: talk.agent.id } },
    ])
    // No push comes if it was resumed meanwhile.
    await db.exec(
      'update portal.push_queue set claimed_by = null, claimed_until = null; delete from portal.agent_pauses',
    )
    expect(await told()).toEqual([])
  })

  test("on a broker's number that broker is notified, and may give the conversation back", async () => {
    const own = await makeBroker(db)
    await device(own.id)
    const lead = await talk.lead({ instanceName: own.instanceName, empreendimento: 'Mirante' })
    const claims = await signIn(db, own)
    await onBehalf(db, claims, (query) => query('select portal.set_own_assistant(true)', []))
    await talk.says(lead, AWAY, { instanceName: own.instanceName })
    await db.query(
      `insert into portal.agent_turns (kind, agent_id, contact_id, state, began_at, due_at, leased_until, "instanceName", base_message)
       select 'answer', $1, $2, 'thinking', now(), now(), now(), $3, max(id) from whatsapp_messages where contact_id = $2
       on conflict do nothing`,
      [talk.agent.id, lead, own.instanceName],
    )
    await db.query(
      `select portal.pause_for_machine(t, now()) from portal.agent_turns t where contact_id = $1 order by id limit 1`,
      [lead],
    )
    expect(await notices()).toBe(1)
    const baton = async () =>
      (
        await onBehalf(db, claims, (query) =>
          query<{ passing: { baton: string } }>('select portal.passing_of($1, now()) as passing', [lead]),
        )
      ).rows[0]!.passing.baton
    expect(await baton()).toBe('broker')
    await onBehalf(db, claims, (query) => query('select portal.return_to_agent($1, now())', [lead]))
    expect(await baton()).toBe('assistant')
    expect(await pauses()).toEqual([])
  })

  test('a message of our staff makes it an ordinary pause', async () => {
    const lead = await talk.lead()
    await talk.says(lead, AWAY)
    await talk.pass(9)
    await talk.human(lead)
    expect(await pauses()).toMatchObject([{ reason: 'phone', paused_until: expect.anything() as string }])
  })

  test('beside other text it is ignored', async () => {
    const lead = await talk.lead()
    await talk.says(lead, 'Quanto custa o de 3 quartos?')
    await talk.says(lead, AWAY)
    await talk.pass(9)
    expect(await talk.turns(lead)).toMatchObject([{ state: 'sent' }])
  })

  test('the same or a similar text three times counts as one, too', async () => {
    const lead = await talk.lead()
    for (const text of [
      'Loja Sol: recebemos o seu pedido, de número 10203.',
      'Loja Sol: recebemos o seu pedido, de número 99817',
      'Loja Sol: recebemos seu pedido, de número 5521!',
    ]) {
      talk.model.plan({ text: `Sou o assistente. ${WORDS[text.length % 10]}?` })
      await talk.says(lead, text)
      await talk.pass(9)
    }
    expect((await talk.turns(lead)).map(({ state }) => state)).toEqual(['sent', 'sent', 'silent'])
    expect(await pauses()).toMatchObject([{ reason: 'automatic' }])
  })
})

test.runIf(isDeepRun)('the agents of two portals writing to each other stop within six answers', async () => {
  const there = await openTestDatabase('migrated')
  try {
    let asked = 0
    const chatty = () => ({
      text: `Entendi. E sobre o ${WORDS[asked++ % 10]} ${'x'.repeat(asked)}, o que acha?`,
    })
    const other = await openTalk(there.db, chatty)
    const own = await nextTalk()
    const [mine, theirs] = [await own.lead(), await other.lead()]
    // The test removes the assistant's introductions, as an administrator's prompt could do.
    const plain = (text: string) => text.replace(/^Sou o assistente[^.]*\. /, '')
    await own.says(mine, 'Oi')
    for (let step = 0; step < 20; step++) {
      own.model.plan(chatty())
      await own.pass(9)
      const said = await own.answers(mine)
      if (said.length > step) await other.says(theirs, plain(said.at(-1)!))
      await other.pass(9)
      const back = await other.answers(theirs)
      if (back.length > step) await own.says(mine, plain(back.at(-1)!))
    }
    expect((await own.answers(mine)).length).toBeLessThanOrEqual(6)
    expect((await other.answers(theirs)).length).toBeLessThanOrEqual(6)
    // With the introductions that every agent has, the second message is enough.
    const [again, back] = [await own.lead(), await other.lead()]
    await own.says(again, 'Oi')
    await own.pass(9)
    await other.says(back, (await own.answers(again))[0]!)
    await other.pass(9)
    expect(await other.answers(back)).toEqual([])
    expect((await other.turns(back)).at(-1)).toMatchObject({ state: 'silent', reason: 'automatic' })
    await other.close()
  } finally {
    await there.close()
  }
})
