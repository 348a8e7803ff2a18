// Messages deleted or sent again by a person, and messages found in the gateway's reports: nothing is doubled
// invisibly.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { onBehalf, type Claims } from '#server/db/as-user.ts'
import { openBase } from '#tests/support/database.ts'
import { ack, ANA as JID, messageData, sent, upsert } from '#tests/support/deliveries.ts'
import { makeBroker, signIn, signInAdmin } from '#tests/support/make.ts'
import {
  accepted,
  areSettled,
  messagesOf,
  openSender,
  queueText,
  scriptedGateway,
  stopSenders,
  untilMessages,
  type ScriptedGateway,
} from '#tests/support/sending.ts'
import { clearState, INSTANCE, openWebhook } from '#tests/support/webhook.ts'

const base = await openBase()
const webhook = await openWebhook(base.db)
const { rows } = await base.db.query<{ id: string }>(
  'select id from public.brokers where "instanceName" = $1',
  [INSTANCE],
)
const asAna = await signIn(base.db, { id: rows[0]?.id ?? '' })
const asBia = await signIn(base.db, await makeBroker(base.db))
const asAdmin = await signInAdmin(base.db)
afterAll(() => webhook.close())

let phone: ScriptedGateway
let sender: ReturnType<typeof openSender>
let contactId: number
beforeEach(async () => {
  phone = scriptedGateway()
  sender = openSender(base.db, phone.gateway)
  await webhook.take([upsert({ id: 'PERGUNTA' })])
  const { rows } = await base.db.query<{ id: number }>('select id from public.whatsapp_contacts')
  contactId = rows[0]?.id ?? 0
})
afterEach(async () => {
  await stopSenders()
  await base.db.exec('delete from portal.send_queues')
  await clearState(base.db)
})

const write = (body: string) => queueText(base.db, asAna, { contactId, body })
const settled = () => untilMessages(base.db, contactId, areSettled)
const wake = () => sender.wake(INSTANCE)
const nowSeconds = () => Math.floor(Date.now() / 1000)
const reported = (id: string, body: string) =>
  sent({ id, message: { conversation: body }, sentAt: nowSeconds() })
/** A message that ended with this fault of the gateway. */
async function ended(body: string, fault: 'refused' | 'unknown-outcome'): Promise<number> {
  phone.plan(fault)
  const { id } = await write(body)
  wake()
  await settled()
  return id
}

const ask = async (claims: Claims, sql: string, values: (string | number)[]) =>
  (
    await onBehalf(base.db, claims, (query) =>
      query<{ message: { id: number; delivery: string } }>(sql, values),
    )
  ).rows[0]?.message
const retry = (id: number, { claims = asAna, operationId = randomUUID() } = {}) =>
  ask(claims, 'select portal.retry_message($1, $2) as message', [id, operationId])
/** A message with an unknown outcome, and its second send, which has begun and is not answered. */
async function beginSecond() {
  const first = await ended('um', 'unknown-outcome')
  phone.byHand()
  const again = await retry(first)
  wake()
  await phone.begun(2)
  return { first, again }
}
const cancel = (id: number, claims = asAna) =>
  ask(claims, 'select portal.cancel_message($1) as message', [id])
const refused = (hint: string) => expect.objectContaining({ hint })

describe('sent again', () => {
  test('a message that surely never left is the same message, at its new time', async () => {
    const id = await ended('um', 'refused')
    const operationId = randomUUID()
    expect(await retry(id, { operationId })).toMatchObject({ id, delivery: 'queued', delivery_reason: null })
    expect(await retry(id, { operationId })).toMatchObject({ id })
    wake()
    expect(await settled()).toMatchObject([{ id, delivery: 'sent' }])
    expect(phone.texts()).toEqual(['um', 'um'])
  })

  test('a message with an unknown result stays, and a second one is shown below it, once', async () => {
    const id = await ended('um', 'unknown-outcome')
    const operationId = randomUUID()
    const again = await retry(id, { operationId })
    expect(again?.id).not.toBe(id)
    expect(await retry(id, { operationId })).toMatchObject({ id: again?.id })
    await expect(retry(id)).rejects.toEqual(refused('message.retried'))
    wake()
    expect(await settled()).toMatchObject([
      { id, delivery: 'unknown', delivery_reason: 'retried' },
      { id: again?.id, delivery: 'sent' },
    ])
    expect(phone.texts()).toEqual(['um', 'um'])
  })

  test('a message that WhatsApp refused after the gateway accepted it becomes another message', async () => {
    const { id } = await write('um')
    wake()
    const [line] = await settled()
    await webhook.take([ack(line?.message_id ?? '', 'ERROR')])
    expect(await messagesOf(base.db, contactId)).toMatchObject([
      { id, delivery: 'failed', delivery_reason: 'rejected' },
    ])
    await retry(id)
    wake()
    expect(await settled()).toMatchObject([
      { delivery: 'failed', delivery_reason: 'retried' },
      { delivery: 'sent' },
    ])
    // The message arrived after all.
    await webhook.take([ack(line?.message_id ?? '', 'DELIVERY_ACK')])
    expect(await messagesOf(base.db, contactId)).toMatchObject([
      { delivery: 'delivered', delivery_reason: null },
      { delivery: 'sent' },
    ])
  })

  test('it is sent last, after messages written meanwhile', async () => {
    const id = await ended('um', 'refused')
    await write('dois')
    await retry(id)
    wake()
    await settled()
    expect(phone.texts()).toEqual(['um', 'dois', 'um'])
  })

  test("a waiting or sent one is refused, and another broker's is not found", async () => {
    const { id } = await write('um')
    await expect(retry(id)).rejects.toEqual(refused('message.not-failed'))
    wake()
    await settled()
    await expect(retry(id)).rejects.toEqual(refused('message.not-failed'))
    const failed = await ended('dois', 'refused')
    await expect(retry(failed, { claims: asBia })).rejects.toEqual(refused('message.unknown'))
    const question = await base.db.query<{ id: number }>(
      `select id from public.whatsapp_messages where message_id = 'PERGUNTA'`,
    )
    await expect(retry(question.rows[0]?.id ?? 0)).rejects.toEqual(refused('message.unknown'))
    expect(await retry(failed, { claims: asAdmin })).toMatchObject({ id: failed, delivery: 'queued' })
  })
})

describe('deleted', () => {
  test('a waiting message is deleted, and the next one is sent', async () => {
    const { id } = await write('um')
    await write('dois')
    await expect(cancel(id, asBia)).rejects.toEqual(refused('message.unknown'))
    await cancel(id)
    await expect(cancel(id)).rejects.toEqual(refused('message.unknown'))
    wake()
    expect(await settled()).toMatchObject([{ body: 'dois', delivery: 'sent' }])
    expect(phone.texts()).toEqual(['dois'])
  })

  test('its repeated operation sends nothing', async () => {
    const operationId = randomUUID()
    const { id } = await queueText(base.db, asAna, { contactId, body: 'um', operationId })
    await cancel(id)
    expect(await queueText(base.db, asAna, { contactId, body: 'um', operationId })).toMatchObject({ id })
    wake()
    expect(await messagesOf(base.db, contactId)).toEqual([])
    expect(phone.sent).toEqual([])
  })

  test('an unsent message can be deleted, one being sent or with an unknown result cannot', async () => {
    const failed = await ended('um', 'refused')
    await cancel(failed)
    const unknown = await ended('dois', 'unknown-outcome')
    await expect(cancel(unknown)).rejects.toEqual(refused('message.not-queued'))
    phone.byHand()
    const { id } = await write('três')
    wake()
    await phone.begun(3)
    await expect(cancel(id)).rejects.toEqual(refused('message.not-queued'))
    phone.answerNext()
    expect(await settled()).toMatchObject([{ body: 'dois' }, { body: 'três', delivery: 'sent' }])
    await expect(cancel(id)).rejects.toEqual(refused('message.not-queued'))
  })
})

describe("found in the gateway's reports", () => {
  test('the report comes before the answer: one message', async () => {
    phone.byHand()
    await write('um')
    await write('um')
    wake()
    await phone.begun(1)
    await webhook.take([reported('S1', 'um'), ack('S1', 'DELIVERY_ACK')])
    phone.answerNext({ ...accepted(JID), messageId: 'S1' })
    await phone.begun(2)
    expect(await messagesOf(base.db, contactId)).toMatchObject([
      { message_id: 'S1', delivery: 'delivered' },
      { message_id: null, delivery: 'queued' },
    ])
    phone.answerNext({ ...accepted(JID), messageId: 'S2' })
    await settled()
    await webhook.take([reported('S2', 'um')])
    expect(await messagesOf(base.db, contactId)).toHaveLength(2)
  })

  test('read back during its send: one message', async () => {
    phone.byHand()
    await write('um')
    wake()
    await phone.begun(1)
    const record = messageData({
      fromMe: true,
      id: 'S1',
      message: { conversation: 'um' },
      sentAt: nowSeconds(),
    })
    await webhook.ingestRecords({ instanceName: INSTANCE, records: [record], atMs: Date.now() })
    phone.answerNext({ ...accepted(JID), messageId: 'S1' })
    await untilQueueIsEmpty()
    expect(await messagesOf(base.db, contactId)).toMatchObject([{ message_id: 'S1', delivery: 'sent' }])
  })

  test('a report before a timeout: it was sent', async () => {
    phone.byHand()
    await write('um')
    wake()
    await phone.begun(1)
    await webhook.take([reported('S1', 'um')])
    phone.answerNext('unknown-outcome')
    await untilQueueIsEmpty()
    expect(await messagesOf(base.db, contactId)).toMatchObject([
      { message_id: 'S1', delivery: 'sent', delivery_reason: null },
    ])
  })

  test('a report after a timeout: it was sent, too', async () => {
    await ended('um', 'unknown-outcome')
    await webhook.take([reported('S1', 'um'), ack('S1', 'READ')])
    expect(await messagesOf(base.db, contactId)).toMatchObject([
      { message_id: 'S1', delivery: 'read', delivery_reason: null },
    ])
  })

  test("an unsent message is not matched with another program's message", async () => {
    await write('um')
    await webhook.take([reported('DE-OUTRO', 'um')])
    wake()
    expect(await settled()).toMatchObject([
      { delivery: 'sent', message_id: expect.stringMatching(/^G/) },
      { message_id: 'DE-OUTRO' },
    ])
    expect(phone.texts()).toEqual(['um'])
  })

  test('a late report of the first is not assigned to the second with the same text', async () => {
    const { first, again } = await beginSecond()
    await webhook.take([reported('S1', 'um'), ack('S1', 'READ')])
    phone.answerNext({ ...accepted(JID), messageId: 'S2' })
    await untilQueueIsEmpty()
    expect(await messagesOf(base.db, contactId)).toMatchObject([
      { id: first, message_id: 'S1', delivery: 'read', delivery_reason: null },
      { id: again?.id, message_id: 'S2', delivery: 'sent' },
    ])
  })

  test('a report assigned to the first turns out to be of the second, which answers late', async () => {
    const { first, again } = await beginSecond()
    await base.db.query(`update portal.send_queues set leased_until = now() - interval '1 s'`)
    openSender(base.db, scriptedGateway().gateway).wake(INSTANCE)
    await settled()
    await webhook.take([reported('S2', 'um')])
    phone.answerNext({ ...accepted(JID), messageId: 'S2' })
    expect(
      await untilMessages(
        base.db,
        contactId,
        (lines) => lines.find(({ id }) => id === again?.id)?.delivery === 'sent',
      ),
    ).toMatchObject([
      { id: first, message_id: null, delivery: 'unknown', delivery_reason: 'no-answer' },
      { id: again?.id, message_id: 'S2', delivery: 'sent' },
    ])
  })
})

async function untilQueueIsEmpty() {
  while ((await base.db.query('select from portal.outgoing')).rows.length > 0);
}
