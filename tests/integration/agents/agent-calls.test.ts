// Events that wake no agent: a lead who calls gets a broker, and a note is nobody's message.
import { expect, test } from 'vitest'
import { openTalks } from '#tests/support/agent-talks.ts'
import { makeBroker } from '#tests/support/make.ts'
import { makeSeatedRotation } from '#tests/support/rotation.ts'

const { db, nextTalk } = await openTalks()

const CALL = {
  kind: 'call',
  content: JSON.stringify({ isAnswered: false, isVideo: false, seconds: null }),
}
const caseOf = async (contactId: number) => {
  const { rows } = await db.query<{ has_case: boolean }>(
    'select case_id is not null as has_case from portal.lead_intakes where contact_id = $1',
    [contactId],
  )
  return rows.map((row) => row.has_case)
}

test("an agent's lead who calls gets no text: a broker is called", async () => {
  const talk = await nextTalk()
  const camila = await makeBroker(db)
  await makeSeatedRotation(db, [camila], { empreendimento: 'Mirante' })
  const lead = await talk.lead({ number: '5511955500901' })
  await talk.says(lead, 'Oi')
  expect(await caseOf(lead)).toEqual([false])
  const [before] = await talk.turns(lead)
  await talk.says(lead, 'Ligação perdida', CALL)
  expect(await talk.turns(lead)).toEqual([before])
  expect(await caseOf(lead)).toEqual([true])
})

test('a new lead who calls an agent’s number goes to the rotation at once', async () => {
  const talk = await nextTalk()
  const camila = await makeBroker(db)
  await makeSeatedRotation(db, [camila], { empreendimento: 'Mirante' })
  const lead = await talk.lead({ number: '5511955500902' })
  await talk.says(lead, 'Ligação perdida', CALL)
  expect(await talk.turns(lead)).toEqual([])
  expect(await caseOf(lead)).toEqual([true])
})

test('a note creates no turn, delays none, and invalidates none', async () => {
  const talk = await nextTalk()
  const lead = await talk.lead({ number: '5511955500903' })
  const note = {
    type: 'note',
    kind: 'note',
    delivery: null,
    read: true,
    content: JSON.stringify({ name: 'pinInChatMessage' }),
  }
  await talk.says(lead, '', note)
  expect(await talk.turns(lead)).toEqual([])
  await talk.says(lead, 'Tem varanda?')
  const planned = await talk.turns(lead)
  await talk.says(lead, '', note)
  expect(await talk.turns(lead)).toEqual(planned)
  await talk.pass(60)
  expect(await talk.turns(lead)).toMatchObject([{ state: 'sent' }])
  expect(JSON.stringify(talk.model.asked)).not.toContain('pinInChat')
})
