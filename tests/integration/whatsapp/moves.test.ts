// Moving an instance in the database: whose address it is before, during and after, and what the gateway that it left
// may still say.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { onBehalf } from '#server/db/as-user.ts'
import { createSecretCheck, makeWebhookSecret, mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { openBase } from '#tests/support/database.ts'
import { makeBroker, makeContact, signIn, signInAdmin, type MadeBroker } from '#tests/support/make.ts'
import { messagesOf, openSender, PRESENT, queueText, scriptedGateway } from '#tests/support/sending.ts'

const base = await openBase()
const { db } = base
const NUMBER = '5511955550101'

let broker: MadeBroker
let name = ''
let oldSecret = ''
let made = makeWebhookSecret()
beforeEach(async () => {
  broker = await makeBroker(db)
  name = broker.instanceName
  await db.query('update public.brokers set broker_number = $2 where "instanceName" = $1', [name, NUMBER])
  oldSecret = await mintWebhookSecret(db.query, name)
  made = makeWebhookSecret()
})

const begin = async (kind = 'waha') => {
  const claims = await signInAdmin(db)
  await onBehalf(db, claims, (query) =>
    query('select portal.begin_move($1, $2, $3)', [name, kind, made.hash]),
  )
  return claims
}
const finish = async (number: string | null = NUMBER, kind = 'waha') =>
  (await db.query<{ end: string }>('select portal.finish_move($1, $2, $3) as "end"', [name, kind, number]))
    .rows[0]?.end
const kindOf = (secret: string) => createSecretCheck(db, systemClock)(name, secret)
const leftovers = async () =>
  (await db.query('select gateway from portal.leftover_instances where "instanceName" = $1', [name])).rows

test('both addresses count until the end, and the old one a while longer', async () => {
  expect(await kindOf(made.secret)).toBeNull()
  await begin()
  expect([await kindOf(oldSecret), await kindOf(made.secret)]).toEqual(['evolution', 'waha'])
  expect(await finish()).toBe('moved')
  expect([await kindOf(oldSecret), await kindOf(made.secret)]).toEqual(['evolution', 'waha'])
  expect(await kindOf('outro')).toBeNull()
  expect(await leftovers()).toEqual([{ gateway: 'evolution' }])
  expect(await finish()).toBe('none')
})

test('another phone moves nothing, and neither does another gateway', async () => {
  await begin()
  expect(await finish('5521988887777')).toBe('other-phone')
  expect(await finish(NUMBER, 'evolution')).toBe('none')
  expect(await leftovers()).toEqual([])
  expect(await finish(null)).toBe('moved')
})

test('given up, it stays where it is, and what the other one has is deleted', async () => {
  const claims = await begin()
  await onBehalf(db, claims, (query) => query('select portal.end_move($1)', [name]))
  expect(await kindOf(made.secret)).toBeNull()
  expect(await leftovers()).toEqual([{ gateway: 'waha' }])
  expect(await finish()).toBe('none')
})

test('an instance is moved neither to where it is, nor without being there', async () => {
  await expect(begin('evolution')).rejects.toMatchObject({ code: 'PT409' })
  name = `corretor_${randomUUID().slice(0, 8)}`
  await expect(begin()).rejects.toMatchObject({ code: 'PT404' })
})

test('deliveries know whether their gateway has the instance now', async () => {
  await begin()
  const put = (gateway: string) =>
    db.query(
      `insert into portal.webhook_inbox ("instanceName", body, received_at, gateway) values ($1, '{}', now(), $2)`,
      [name, gateway],
    )
  const take = async () =>
    (
      await db.query<{ gateway: string; is_current: boolean }>(
        'select gateway, is_current from portal.take_inbox(array[$1], 10)',
        [name],
      )
    ).rows.map(({ gateway, is_current: isCurrent }) => [gateway, isCurrent])
  await put('evolution')
  await put('waha')
  expect(await take()).toEqual([
    ['evolution', true],
    ['waha', false],
  ])
  await finish()
  await put('evolution')
  await put('waha')
  expect(await take()).toEqual([
    ['evolution', false],
    ['waha', true],
  ])
})

/** A text of which nobody knows whether the gateway took it before it went away. */
async function makeDoubt(of: MadeBroker) {
  const { id: contactId } = await makeContact(db, of.instanceName)
  const { id } = await queueText(db, await signIn(db, of), { contactId, body: 'Oi?' })
  await db.query('insert into portal.send_queues ("instanceName", doubted_message) values ($1, $2)', [
    of.instanceName,
    id,
  ])
  return contactId
}
const doubted = async () =>
  (
    await db.query<{ name: string }>(
      'select "instanceName" as name from portal.send_queues where doubted_message is not null',
    )
  ).rows.map((row) => row.name)

test('a text that the gateway before may have sent is not sent by the other one', async () => {
  const contactId = await makeDoubt(broker)
  await begin()
  expect(await finish()).toBe('moved')
  expect(await messagesOf(db, contactId)).toMatchObject([
    { delivery: 'unknown', delivery_reason: 'no-answer', message_id: null },
  ])
  const { rows } = await db.query('select from portal.outgoing where claimed_at is null')
  expect([rows, await doubted()]).toEqual([[], []])
})

test('doubts at a gateway that is away hold up none at the other', async () => {
  const other = await makeBroker(db)
  for (const each of [broker, other]) await makeDoubt(each)
  const looked: string[] = []
  const isAway = (instanceName?: string) => instanceName === name
  const { gatewayAnswered } = openSender(db, scriptedGateway().gateway, undefined, { ...PRESENT, isAway })
  await gatewayAnswered(false, async (instanceName) => {
    if (isAway(instanceName)) throw new Error('away')
    looked.push(instanceName)
  })
  expect([looked, await doubted()]).toEqual([[other.instanceName], [name]])
})
