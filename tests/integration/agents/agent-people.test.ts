// Whom an agent answers: in some modes only new people, and nobody with whom a person already speaks. A lead that no
// agent answers goes to the rotation.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { applyReport, reportedText, type Talk } from '#tests/support/agent-dialogue.ts'
import { openTalks } from '#tests/support/agent-talks.ts'
import { makeBroker, makeContact, makeMessage } from '#tests/support/make.ts'

const { db, nextTalk } = await openTalks()
let talk: Talk
beforeEach(async () => {
  talk = await nextTalk()
})
const nowSeconds = () => Math.floor(Date.now() / 1000)
const apply = (event: object) => applyReport(db, talk.broker.instanceName, event)
const leadOf = async (number: string) =>
  (await db.query<{ id: number }>('select id from whatsapp_contacts where number = $1', [number])).rows[0]!.id

describe('only new people', () => {
  const START = `update portal.agent_settings set mode = 'new_people', new_people_since = now()`
  const states = async (lead: number) => (await talk.turns(lead)).map(({ state }) => state)

  test('a person who never wrote to the agency is answered from then on', async () => {
    await db.exec(START)
    const lead = await talk.lead()
    for (const body of ['Oi', 'Quanto custa?']) {
      talk.model.plan({ text: `Sou o assistente. ${body}` })
      await talk.says(lead, body)
      await talk.pass(9)
    }
    expect(await states(lead)).toEqual(['sent', 'sent'])
    expect(await talk.cases(lead)).toEqual([])
  })

  test('a person who wrote before the mode was set, or was answered by a person first, is not answered and gets a broker', async () => {
    const [old, met] = [await talk.lead(), await talk.lead()]
    await makeMessage(db, old, { timestamp: nowSeconds() - 90_000, instanceName: talk.broker.instanceName })
    await db.exec(
      `${START}; delete from portal.agent_turns; delete from portal.lead_intakes; delete from portal.roleta_cases`,
    )
    await talk.says(old, 'Voltei')
    expect([await states(old), await talk.cases(old)]).toEqual([[], ['waiting']])
    await talk.human(met)
    await db.exec('delete from portal.agent_pauses')
    await talk.says(met, 'Oi')
    expect(await states(met)).toEqual([])
  })

  test("a person who wrote to a broker's number is not new on the central one", async () => {
    await db.exec(START)
    const bia = await makeBroker(db)
    const known = await makeContact(db, bia.instanceName)
    await makeMessage(db, known.id, { timestamp: nowSeconds() - 60, instanceName: bia.instanceName })
    const { rows } = await db.query<{ id: number }>(
      `insert into whatsapp_contacts ("instanceName", person_id, number, source) values ($1, $2, $3, 'whatsapp') returning id`,
      [talk.broker.instanceName, known.person_id, known.number],
    )
    const lead = rows[0]!.id
    await talk.says(lead, 'Oi')
    expect([await states(lead), await talk.cases(lead)]).toEqual([[], ['waiting']])
  })

  test("a person who was handed over and given back still counts as the agent's", async () => {
    await db.exec(START)
    const lead = await talk.lead()
    await talk.says(lead, 'Oi')
    await talk.pass(9)
    // The message's time is one second later.
    await talk.human(lead, 'Sou a Camila', { timestamp: nowSeconds() + 1 })
    await db.exec('delete from portal.agent_pauses')
    talk.model.plan({ text: 'Sou o assistente. E a vaga?' })
    await talk.says(lead, 'E a vaga?', { timestamp: nowSeconds() + 2 })
    await talk.pass(9)
    expect(await states(lead)).toEqual(['sent', 'sent'])
  })
})

describe('no lead is lost between agent and rotation', () => {
  test('a first message reported seventy minutes late goes to the rotation', async () => {
    await apply(reportedText(['5511987000001@s.whatsapp.net'], false, 'Oi', nowSeconds() - 70 * 60))
    const lead = await leadOf('5511987000001')
    expect([await talk.turns(lead), await talk.cases(lead)]).toEqual([[], ['waiting']])
  })

  test('one reported in time is the agent’s', async () => {
    await apply(reportedText(['5511987000002@s.whatsapp.net'], false, 'Oi', nowSeconds() - 50 * 60))
    const lead = await leadOf('5511987000002')
    expect(await talk.turns(lead)).toMatchObject([{ state: 'waiting' }])
    expect(await talk.cases(lead)).toEqual([])
  })

  test('a later message that is reported late goes there, too, unless the lead was answered since', async () => {
    const lead = await talk.lead()
    await talk.says(lead, 'Oi')
    await talk.pass(9)
    await talk.says(lead, 'De manhã', { timestamp: nowSeconds() - 70 * 60 })
    expect(await talk.cases(lead)).toEqual([])
    await db.query(`update whatsapp_messages set "timestamp" = "timestamp" - 8000 where contact_id = $1`, [
      lead,
    ])
    await talk.says(lead, 'De tarde', { timestamp: nowSeconds() - 70 * 60 })
    expect(await talk.cases(lead)).toEqual(['waiting'])
  })

  test('what no agent answers, such as a call, goes there at once; so does a lead paused elsewhere', async () => {
    const caller = await talk.lead()
    await talk.says(caller, '', { kind: 'call' })
    expect(await talk.cases(caller)).toEqual(['waiting'])
    const paused = await talk.lead()
    await db.query(
      `insert into portal.agent_pauses (agent_id, person_id, reason, paused_by)
       select $1, person_id, 'person', 'chefe' from whatsapp_contacts where id = $2`,
      [talk.agent.id, paused],
    )
    await talk.says(paused, 'Oi')
    expect([await talk.turns(paused), await talk.cases(paused)]).toEqual([[], ['waiting']])
  })
})

describe('a person on the phone, known only by a hidden id', () => {
  const JID = '5511987000009@s.whatsapp.net'
  const LID = '778899001122@lid'
  const begin = async () => {
    await apply(reportedText([JID], false, 'Oi, quanto custa?'))
    const lead = await leadOf('5511987000009')
    return lead
  }
  const claims = () =>
    db.query<{ message: object | null }>('select portal.claim_message($1, $2, 60) as message', [
      talk.broker.instanceName,
      randomUUID(),
    ])

  test("counts as a person once the id's owner is known: nothing is sent, and the model is not called", async () => {
    const lead = await begin()
    await apply(reportedText([LID], true, 'Bom dia, sou a Camila'))
    await talk.pass(9)
    expect(await talk.turns(lead)).toMatchObject([{ state: 'waiting' }])
    // The gateway reports it some twenty seconds later.
    await apply(reportedText([JID, LID], false, 'Ok'))
    await talk.pass(20)
    expect((await talk.turns(lead)).map(({ state, reason }) => [state, reason])).toEqual([['stale', 'human']])
    expect([await talk.answers(lead), talk.model.asked.length, await talk.cases(lead)]).toEqual([[], 0, []])
  })

  test('if the owner is never known a broker is called', async () => {
    const lead = await begin()
    await apply(reportedText([LID], true, 'Bom dia, sou a Camila'))
    for (let seconds = 0; seconds < 150; seconds += 30) await talk.pass(30)
    expect(await talk.turns(lead)).toMatchObject([{ state: 'stale', reason: 'unclear' }])
    expect([await talk.answers(lead), await talk.cases(lead)]).toEqual([[], ['waiting']])
  })

  test('an id of somebody else delays nobody', async () => {
    const lead = await begin()
    await apply(reportedText([LID], true, 'Bom dia, Marina'))
    await talk.pass(9)
    await apply(reportedText(['5511987000010@s.whatsapp.net', LID], false, 'Bom dia!'))
    await talk.pass(11)
    expect(await talk.answers(lead)).toHaveLength(1)
  })

  test("a message under a hidden id does not count if somebody answered, if it is older, or if the lead's own id is known", async () => {
    await apply(reportedText([LID], true, 'Bom dia', nowSeconds() - 600))
    const lead = await begin()
    await talk.pass(9)
    expect(await talk.answers(lead)).toHaveLength(1)

    await apply(reportedText(['5511987000011@s.whatsapp.net', '111@lid'], false, 'Oi'))
    await apply(reportedText(['222@lid'], true, 'Bom dia'))
    const other = await leadOf('5511987000011')
    await talk.pass(9)
    expect(await talk.answers(other)).toHaveLength(1)
  })

  test('a queued answer is removed, and the turn repeated', async () => {
    const lead = await begin()
    await talk.pass(9)
    expect(await talk.answers(lead)).toHaveLength(1)
    await apply(reportedText([LID], true, 'Bom dia, sou a Camila'))
    expect((await claims()).rows[0]!.message).toBeNull()
    expect(await talk.answers(lead)).toEqual([])
    expect(await talk.turns(lead)).toMatchObject([
      { state: 'stale', reason: 'unclear' },
      { state: 'waiting' },
    ])
    await apply(reportedText([JID, LID], false, 'Ok'))
    await talk.pass(20)
    expect(await talk.answers(lead)).toEqual([])
  })

  test("and on a broker's number it pauses the agent, although the card had no development", async () => {
    const own = await makeBroker(db)
    const lead = await makeContact(db, own.instanceName, {
      empreendimento: 'Mirante',
      number: '5511987000012',
    })
    const report = (event: object) =>
      db.query('select portal.apply_event($1, $2::jsonb)', [own.instanceName, JSON.stringify(event)])
    const jid = '5511987000012@s.whatsapp.net'
    await report(reportedText([jid], false, 'Oi'))
    await report(reportedText([LID], true, 'Bom dia, sou a Camila'))
    await report(reportedText([jid, LID], false, 'Ok'))
    const { rows } = await db.query(
      'select portal.pause_of($1, person_id) as pause from whatsapp_contacts where id = $2',
      [talk.agent.id, lead.id],
    )
    expect(rows).toMatchObject([{ pause: { reason: 'phone' } }])
  })
})
