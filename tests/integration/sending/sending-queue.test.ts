// The queue of outgoing messages under every possible failure: none lost, none doubled, each with its state.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { GatewayFault } from '#server/gateway.ts'
import { databasesOf } from '#tests/support/database.ts'
import { makeBroker, makeContact, makeMessage } from '#tests/support/make.ts'
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
import { openStaff } from '#tests/support/staff.ts'

const { base, ana, bia, asAna, asAdmin } = await openStaff()

let phone: ScriptedGateway
let sender: ReturnType<typeof openSender>
beforeEach(() => {
  phone = scriptedGateway()
  sender = openSender(base.db, phone.gateway)
})
/** Call it once the test's messages wait: the first poll comes at once, others as the clock advances. */
const start = () => sender.start()
afterEach(async () => {
  await stopSenders()
  await base.db.exec('delete from portal.send_queues; delete from public.whatsapp_contacts')
})

const lead = (columns = {}) => makeContact(base.db, ana.instanceName, columns)
const write = (contactId: number, body: string, more = {}) =>
  queueText(base.db, asAna, { contactId, body, ...more })
const settled = (contactId: number) => untilMessages(base.db, contactId, areSettled)
const waits = (contactId: number, reason: string | null) =>
  untilMessages(base.db, contactId, (lines) => lines.every((line) => line.delivery_reason === reason))
const wake = () => sender.wake(ana.instanceName)
/** As if this time had passed for the holder of a queue and for waiting messages. */
const letPass = (seconds: number) =>
  base.db.query(
    `update portal.send_queues set leased_until = leased_until - make_interval(secs => $1),
      held_until = held_until - make_interval(secs => $1)`,
    [seconds],
  )

/** A message whose send has begun and is not answered. */
async function beginSend(): Promise<number> {
  const { id } = await lead()
  phone.byHand()
  await write(id, 'um')
  wake()
  await phone.begun(1)
  return id
}

test('messages are sent in order, one at a time, with the address that WhatsApp resolved', async () => {
  const { id } = await lead({ number: '(31) 98765-4321' })
  phone.byHand()
  for (const body of ['um', 'dois', 'três']) await write(id, body)
  wake()
  for (let turn = 1; turn <= 3; turn++) {
    await phone.begun(turn)
    expect(phone.sent).toHaveLength(turn)
    phone.answerNext(accepted('553187654321@s.whatsapp.net'))
  }
  expect(await settled(id)).toMatchObject([
    { body: 'um', delivery: 'sent', message_id: expect.stringMatching(/^G/) },
    { body: 'dois', delivery: 'sent' },
    { body: 'três', delivery: 'sent' },
  ])
  expect(phone.texts()).toEqual(['um', 'dois', 'três'])
  // The first number was typed without country code; later ones have WhatsApp's form.
  expect(phone.sent.map(({ number }) => number)).toEqual([
    '5531987654321',
    '553187654321@s.whatsapp.net',
    '553187654321@s.whatsapp.net',
  ])
  expect((await base.db.query('select from portal.outgoing')).rows).toEqual([])
})

describe('each fault of the gateway', () => {
  const ENDS: [GatewayFault, string, string][] = [
    ['not-on-whatsapp', 'failed', 'not-on-whatsapp'],
    ['refused', 'failed', 'refused'],
    ['failed', 'failed', 'failed'],
    ['unknown-outcome', 'unknown', 'no-answer'],
  ]
  test.each(ENDS)(
    '%s ends the message as %s, and the next one is sent',
    async (...[fault, delivery, reason]) => {
      const { id } = await lead()
      phone.plan(fault)
      await write(id, 'um')
      await write(id, 'dois')
      wake()
      expect(await settled(id)).toMatchObject([
        { body: 'um', delivery, delivery_reason: reason, message_id: null },
        { body: 'dois', delivery: 'sent', delivery_reason: null },
      ])
      expect(phone.texts()).toEqual(['um', 'dois'])
    },
  )

  test('an exception of ours leaves the result unknown', async () => {
    const { id } = await lead()
    phone.plan(new TypeError('bug'))
    await write(id, 'um')
    wake()
    expect(await settled(id)).toMatchObject([{ delivery: 'unknown', delivery_reason: 'no-answer' }])
  })

  const HOLDS: [GatewayFault, string][] = [
    ['not-linked', 'not-linked'],
    ['unknown-instance', 'not-linked'],
    ['unreachable', 'unreachable'],
    ['unauthorized', 'gateway'],
    ['unlicensed', 'gateway'],
    ['unsupported', 'gateway'],
  ]
  test.each(HOLDS)('%s holds the whole queue, with the reason %s', async (...[fault, reason]) => {
    const { id } = await lead()
    phone.plan(fault)
    await write(id, 'um')
    await write(id, 'dois')
    start()
    expect(await waits(id, reason)).toMatchObject([{ delivery: 'queued' }, { delivery: 'queued' }])
    wake()
    await letPass(1)
    sender.clock.advance(5_000)
    expect(await messagesOf(base.db, id)).toMatchObject([{ delivery: 'queued' }, { delivery: 'queued' }])
    expect(phone.texts()).toEqual(['um'])
    await letPass(8)
    sender.clock.advance(5_000)
    expect(await settled(id)).toMatchObject([
      { delivery: 'sent', delivery_reason: null },
      { delivery: 'sent', delivery_reason: null },
    ])
    expect(phone.texts()).toEqual(['um', 'um', 'dois'])
  })

  test('a held queue waits longer each time, and sends at once when the link is back', async () => {
    const { id } = await lead()
    phone.plan('not-linked', 'not-linked', 'not-linked')
    await write(id, 'um')
    /** The end of the hold in ms, once nobody has the lease. */
    const heldUntil = async () => {
      for (;;) {
        const { rows } = await base.db.query<{ until_ms: number }>(
          `select (extract(epoch from held_until) * 1000)::int8 as until_ms from portal.send_queues
           where leased_until is null and held_until > clock_timestamp()`,
        )
        if (rows[0]) return rows[0].until_ms
      }
    }
    for (const [turn, seconds] of [5, 10, 20].entries()) {
      const fromMs = Date.now()
      wake()
      await phone.begun(turn + 1)
      const heldMs = (await heldUntil()) - seconds * 1_000
      // The database's clock and this one may round differently.
      expect(heldMs).toBeGreaterThanOrEqual(fromMs - 1)
      expect(heldMs).toBeLessThanOrEqual(Date.now() + 1)
      await letPass(3600)
    }
    await base.db.query(`update portal.send_queues set held_until = now() + interval '1 hour'`)
    await sender.resume(ana.instanceName)
    expect(await settled(id)).toMatchObject([{ delivery: 'sent' }])
  })
})

describe('a portal that ends during a send', () => {
  test('leaves an unknown result, never a second message; waiting ones continue', async () => {
    const { id } = await lead()
    phone.byHand()
    await write(id, 'um')
    await write(id, 'dois')
    wake()
    await phone.begun(1)
    // The first portal never records a result: another one takes the queue over once the lease has ended.
    const second = scriptedGateway()
    const other = openSender(base.db, second.gateway)
    other.wake(ana.instanceName)
    expect(await messagesOf(base.db, id)).toMatchObject([{ delivery: 'queued' }, { delivery: 'queued' }])
    expect(second.sent).toEqual([])
    await letPass(31)
    other.wake(ana.instanceName)
    expect(await settled(id)).toMatchObject([
      { body: 'um', delivery: 'unknown', delivery_reason: 'interrupted' },
      { body: 'dois', delivery: 'sent' },
    ])
    expect(second.texts()).toEqual(['dois'])

    // The first portal was only suspended: its late result is still recorded.
    phone.answerNext(accepted())
    expect(
      await untilMessages(base.db, id, (lines) => lines.every(({ delivery }) => delivery === 'sent')),
    ).toMatchObject([{ delivery_reason: null }, { delivery_reason: null }])
  })

  test('is noticed at the next poll when nothing else waits', async () => {
    const id = await beginSend()
    const other = openSender(base.db, scriptedGateway().gateway)
    await letPass(31)
    const end = other.start()
    expect(await settled(id)).toMatchObject([{ delivery: 'unknown', delivery_reason: 'interrupted' }])
    await end()
    phone.answerNext('not-on-whatsapp')
    expect(await untilMessages(base.db, id, ([line]) => line?.delivery === 'failed')).toMatchObject([
      { delivery_reason: 'not-on-whatsapp' },
    ])
  })

  test('keeps its queue during a long send', async () => {
    const id = await beginSend()
    await letPass(15)
    sender.clock.advance(10_000)
    const renewed = async () =>
      (
        await base.db.query(
          `select from portal.send_queues where leased_until > clock_timestamp() + interval '20 s'`,
        )
      ).rows.length === 1
    while (!(await renewed()));
    const second = scriptedGateway()
    openSender(base.db, second.gateway).wake(ana.instanceName)
    phone.answerNext()
    expect(await settled(id)).toMatchObject([{ delivery: 'sent' }])
    expect(second.sent).toEqual([])
  })
})

test('two portals send each message once, in order', async () => {
  const [, second = base.db] = databasesOf(base.db)
  const leads = await Promise.all([lead(), lead(), lead()])
  const other = openSender(second, phone.gateway)
  for (let turn = 0; turn < 10; turn++)
    for (const { id } of leads) {
      await write(id, `${id}-${turn}`)
      wake()
      other.wake(ana.instanceName)
    }
  for (const { id } of leads) await settled(id)
  expect(phone.sent).toHaveLength(30)
  for (const { id } of leads)
    expect(phone.texts().filter((text) => text.startsWith(`${id}-`))).toEqual(
      Array.from({ length: 10 }, (_, turn) => `${id}-${turn}`),
    )
})

test('a transferred lead is answered from its new owner’s instance', async () => {
  const { id } = await lead()
  const { id: asked } = await makeMessage(base.db, id, {
    instanceName: ana.instanceName,
    message_id: 'PERGUNTA',
  })
  phone.byHand()
  await write(id, 'um', { quotedMessageId: asked })
  await write(id, 'dois', { quotedMessageId: asked })
  wake()
  await phone.begun(1)
  await base.db.query('update public.whatsapp_contacts set "instanceName" = $2 where id = $1', [
    String(id),
    bia.instanceName,
  ])
  phone.answerNext()
  await untilMessages(base.db, id, ([first]) => first?.delivery === 'sent')
  sender.wake(bia.instanceName)
  await phone.begun(2)
  phone.answerNext()
  await settled(id)
  expect(phone.sent.map(({ instanceName, quotedId }) => ({ instanceName, quotedId }))).toEqual([
    { instanceName: ana.instanceName, quotedId: 'PERGUNTA' },
    // That phone does not have the quoted message.
    { instanceName: bia.instanceName, quotedId: undefined },
  ])
  expect(await messagesOf(base.db, id)).toMatchObject([
    { instanceName: ana.instanceName },
    { instanceName: bia.instanceName },
  ])
})

test('nobody answers a lead whose broker was removed', async () => {
  const carla = await makeBroker(base.db)
  const { id } = await makeContact(base.db, carla.instanceName)
  await queueText(base.db, asAdmin, { contactId: id, body: 'um' })
  await base.db.query('delete from public.brokers where id = $1', [carla.id])
  start()
  expect(await settled(id)).toMatchObject([{ delivery: 'failed', delivery_reason: 'no-owner' }])
  expect(phone.sent).toEqual([])
})

test('a message whose file is gone fails and delays no other', async () => {
  const { id } = await lead()
  const { id: line } = await write(id, 'foto')
  await base.db.query(
    `update public.whatsapp_messages set kind = 'image', content = '{"mediaId":"x","mimeType":"image/jpeg","fileName":"a.jpg","isVoice":false}' where id = $1`,
    [String(line)],
  )
  await write(id, 'dois')
  wake()
  expect(await settled(id)).toMatchObject([
    { delivery: 'failed', delivery_reason: 'media-missing' },
    { delivery: 'sent' },
  ])
})
