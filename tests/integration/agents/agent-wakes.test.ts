// What wakes an agent, and that it answers messages in their current form.
import { beforeEach, expect, test } from 'vitest'
import type { Talk } from '#tests/support/agent-dialogue.ts'
import { openTalks } from '#tests/support/agent-talks.ts'
import { eventually } from '#tests/support/eventually.ts'

const { db, nextTalk } = await openTalks()
let talk: Talk
beforeEach(async () => {
  talk = await nextTalk()
})
const apply = (event: object) =>
  db.query('select portal.apply_event($1, $2::jsonb)', [talk.broker.instanceName, JSON.stringify(event)])
const idOf = async (message: { id: number }) =>
  (
    await db.query<{ message_id: string }>('select message_id from whatsapp_messages where id = $1', [
      message.id,
    ])
  ).rows[0]!.message_id
const take = async (message: { id: number }) =>
  apply({ event: 'revoke', messageId: await idOf(message), atMs: String(Date.now()) })
const edit = async (message: { id: number }, body: string) =>
  apply({ event: 'edit', messageId: await idOf(message), body, atMs: String(Date.now()) })
/** The model for answers is called, and waits until the test continues. */
async function thinking() {
  talk.model.plan({ silent: true })
  const worker = talk.another()
  talk.clock.advance(9_000)
  worker.wake()
  await eventually(() => expect(talk.model.asked).toHaveLength(1))
  return async () => {
    talk.clock.advance(20_000)
    await worker.settled()
  }
}

test.each(['text', 'audio', 'image', 'video', 'document', 'sticker', 'location', 'contact'])(
  'a lead that sends a message of kind %s is answered',
  async (kind) => {
    const lead = await talk.lead()
    await talk.says(lead, kind === 'text' ? 'Oi' : '', { kind })
    await talk.pass(9)
    expect(await talk.turns(lead)).toMatchObject([{ state: 'sent' }])
  },
)

test.each(['unsupported', 'note', 'poll', 'deleted'])(
  'no message of kind %s is answered, nor does it delay an answer',
  async (kind) => {
    const lead = await talk.lead()
    await talk.says(lead, 'algo', { kind })
    await talk.pass(9)
    expect(await talk.turns(lead)).toEqual([])
    const other = await talk.lead()
    await talk.says(other, 'Oi')
    const goOn = await thinking()
    await talk.says(other, 'algo', { kind })
    await goOn()
    expect(await talk.turns(other)).toMatchObject([{ state: 'sent', bubbles: 1 }])
  },
)

test('a reaction alone is no message', async () => {
  const lead = await talk.lead()
  const said = await talk.says(lead, 'Oi')
  await talk.pass(9)
  await apply({
    event: 'reaction',
    messageId: await idOf(said),
    isOwn: false,
    emoji: '👍',
    atSeconds: Math.floor(Date.now() / 1000),
    reactionId: 'R1',
  })
  await talk.pass(9)
  expect(await talk.turns(lead)).toHaveLength(1)
})

test('a message edited or deleted before is read in its current form', async () => {
  const lead = await talk.lead()
  const [first, second] = [await talk.says(lead, 'Quanto custa?'), await talk.says(lead, 'e o de 4 quartos')]
  await take(first)
  await edit(second, 'Quanto custa o de 3 quartos?')
  await talk.pass(9)
  expect(talk.model.asked[0]!.body.messages.slice(1).map(({ content }) => content)).toEqual([
    '<lead>Quanto custa o de 3 quartos?</lead>',
  ])
  expect(await talk.turns(lead)).toMatchObject([{ state: 'sent' }])
})

test('a lead who deletes all of it is not answered', async () => {
  const lead = await talk.lead()
  await take(await talk.says(lead, 'Quanto custa?'))
  await talk.pass(9)
  expect(await talk.turns(lead)).toMatchObject([{ state: 'stale', reason: 'withdrawn' }])
  expect([await talk.answers(lead), talk.model.asked.length]).toEqual([[], 0])
})

test.each(['edited', 'taken back'])(
  "a message that is %s during the model's work is answered in its new form",
  async (how) => {
    const lead = await talk.lead()
    await talk.says(lead, 'Quanto custa?')
    const said = await talk.says(lead, 'o de 4 quartos')
    const goOn = await thinking()
    await (how === 'edited' ? edit(said, 'o de 3 quartos') : take(said))
    await goOn()
    await talk.pass(9)
    expect(await talk.turns(lead)).toMatchObject([{ state: 'stale', reason: 'changed' }, { state: 'sent' }])
    expect(
      talk.model.asked
        .at(-1)!
        .body.messages.slice(1)
        .map(({ content }) => content),
    ).toEqual(
      ['Quanto custa?', ...(how === 'edited' ? ['o de 3 quartos'] : [])].map(
        (words) => `<lead>${words}</lead>`,
      ),
    )
    expect(await talk.answers(lead)).toHaveLength(1)
  },
)
