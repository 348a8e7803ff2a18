// A broker's reaction: shown at once, sent after queued messages, once, only the last one, and undone if refused.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { makeContact, makeMessage } from '#tests/support/make.ts'
import { callAs } from '#tests/support/scheduled.ts'
import { openSending, queueText, untilHeld } from '#tests/support/sending.ts'

const { base, ana, asAna, asBia, open } = await openSending()
let { phone, sender } = open()
beforeEach(() => void ({ phone, sender } = open()))

const JID = '5511970000000@s.whatsapp.net'

/** A message from the lead. */
async function line() {
  const { id: contactId } = await makeContact(base.db, ana.instanceName)
  const { id } = await makeMessage(base.db, contactId, {
    instanceName: ana.instanceName,
    message_id: `M${contactId}`,
    remoteJid: JID,
  })
  return { contactId, id }
}

type Line = Awaited<ReturnType<typeof line>>
type Answer = { success: boolean; code: string; message: string | null }

const react = ({ contactId, id }: Line, emoji: string, { claims = asAna, operation = randomUUID() } = {}) =>
  callAs<Answer>(base.db, claims, 'message_react', {
    p_contact_id: contactId,
    p_message_id: id,
    p_emoji: emoji,
    p_operation_id: operation,
  })

async function shown({ id }: Line): Promise<string | undefined> {
  const { rows } = await base.db.query<{ emoji: string | undefined }>(
    `select reactions #>> '{me,emoji}' as emoji from public.whatsapp_messages where id = $1`,
    [id],
  )
  return rows[0]?.emoji ?? undefined
}

async function untilSent() {
  for (;;) {
    const { rows } = await base.db.query('select from portal.outgoing_reactions')
    if (rows.length === 0) return
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const wake = () => sender.wake(ana.instanceName)

test('is shown at once and sent once, despite repeats', async () => {
  const on = await line()
  const operation = randomUUID()
  expect(await react(on, '👍', { operation })).toEqual({ success: true, code: 'saved', message: null })
  expect(await react(on, '👍', { operation })).toMatchObject({ code: 'saved' })
  expect(await react(on, '👍')).toMatchObject({ code: 'already' })
  expect(await shown(on)).toBe('👍')
  wake()
  await untilSent()
  expect(phone.sent).toEqual([
    { instanceName: ana.instanceName, number: JID, text: 'reação 👍', quotedId: `M${on.contactId}` },
  ])
})

test('changes and is removed; of waiting ones only the last is sent', async () => {
  const on = await line()
  await react(on, '👍')
  await react(on, '❤️')
  wake()
  await untilSent()
  await react(on, '')
  expect(await shown(on)).toBe('')
  wake()
  await untilSent()
  expect(phone.texts()).toEqual(['reação ❤️', 'reação '])
})

test("one changed during the first one's send is sent after it", async () => {
  const on = await line()
  phone.byHand()
  await react(on, '👍')
  wake()
  await phone.begun(1)
  await react(on, '🙏')
  phone.answerNext()
  await phone.begun(2)
  phone.answerNext('refused')
  await untilSent()
  expect(phone.texts()).toEqual(['reação 👍', 'reação 🙏'])
  expect(await shown(on), 'what stands on the lead’s phone').toBe('👍')
})

test("is sent after the number's texts", async () => {
  const on = await line()
  await react(on, '👍')
  await queueText(base.db, asAna, { contactId: on.contactId, body: 'Já respondo' })
  wake()
  await untilSent()
  expect(phone.texts()).toEqual(['Já respondo', 'reação 👍'])
})

test('if refused the previous one returns; with an unknown result it stays', async () => {
  const on = await line()
  phone.plan('refused', 'unknown-outcome')
  await react(on, '👍')
  wake()
  await untilSent()
  expect(await shown(on)).toBeUndefined()
  await react(on, '😂')
  wake()
  await untilSent()
  expect(await shown(on)).toBe('😂')
})

test('waits without a link, and is sent when it is back', async () => {
  const on = await line()
  phone.plan('not-linked')
  await react(on, '👍')
  wake()
  await phone.begun(1)
  await untilHeld(base.db)
  wake()
  expect((await base.db.query('select from portal.outgoing_reactions')).rows).toHaveLength(1)
  await sender.resume(ana.instanceName)
  await untilSent()
  expect(phone.texts()).toEqual(['reação 👍', 'reação 👍'])
})

test('is refused to another broker, for another lead’s message, and for invalid emoji', async () => {
  const on = await line()
  const other = await line()
  expect(await react(on, '👍', { claims: asBia })).toMatchObject({ success: false, code: 'unknown_lead' })
  expect(await react({ ...on, id: other.id }, '👍')).toMatchObject({ success: false, code: 'gone' })
  await base.db.query('update public.whatsapp_messages set deleted_at = now() where id = $1', [on.id])
  expect(await react(on, '👍')).toMatchObject({
    code: 'gone',
    message: 'Não dá mais para reagir a esta mensagem.',
  })
  await expect(react(other, 'ok')).rejects.toThrow('Escolha uma reação.')
  wake()
  expect((await base.db.query('select from portal.outgoing_reactions')).rows).toEqual([])
})
