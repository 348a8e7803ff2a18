// A lead's opt-out that the gateway reports: recognised by its meaning, confirmed once, stored for the person.
import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openBase } from '#tests/support/database.ts'
import { upsert } from '#tests/support/deliveries.ts'
import { clearState, INSTANCE, openWebhook, type TestWebhook } from '#tests/support/webhook.ts'

let webhook: TestWebhook
const base = await openBase()
beforeEach(async () => {
  webhook = await openWebhook(base.db)
})
afterEach(async () => {
  await webhook.close()
  await clearState(base.db)
  await base.db.exec('delete from portal.opt_outs')
})

const nowSeconds = () => Math.floor(Date.now() / 1000)
let count = 0
const says = (conversation: string, more = {}) =>
  upsert({ id: `OUT${++count}`, message: { conversation }, sentAt: nowSeconds(), ...more })
const laterRequests = async () =>
  (await base.db.query('select from portal.people where opted_out_at is not null')).rows.length
const queued = async () =>
  (
    await base.db.query<{ body: string; author: string; instance: string }>(
      `select m.body, m.author, m."instanceName" as instance from public.whatsapp_messages m
       join portal.outgoing o on o.message_id = m.id`,
    )
  ).rows

test.each(['SAIR', 'não quero receber', 'Por favor, parem de me mandar mensagem'])(
  '%j is recognised',
  async (words) => {
    await webhook.take([says(words)])
    expect(await laterRequests()).toBe(1)
    expect(await queued()).toEqual([
      { body: expect.stringContaining('não vai mais receber'), author: 'campaign', instance: INSTANCE },
    ])
  },
)

test('repeated, or reported twice, it is confirmed once', async () => {
  const first = says('SAIR')
  await webhook.take([first, first, says('pare')])
  expect(await queued()).toHaveLength(1)
})

test.each(['posso sair antes das 15h?', 'Vou sair do trabalho agora, já respondo'])(
  '%j is no opt-out',
  async (words) => {
    await webhook.take([says(words)])
    expect(await laterRequests()).toBe(0)
    expect(await queued()).toEqual([])
  },
)

test("the broker's own text, and a picture's caption, are none", async () => {
  await webhook.take([
    says('SAIR', { fromMe: true, pushName: null }),
    upsert({
      id: 'PIC',
      message: { imageMessage: { caption: 'sair', mimetype: 'image/jpeg' } },
      sentAt: nowSeconds(),
    }),
  ])
  expect(await laterRequests()).toBe(0)
})

test('a message read back days later is recognised without a confirmation', async () => {
  await webhook.take([says('SAIR', { sentAt: nowSeconds() - 3 * 86_400 })])
  expect(await laterRequests()).toBe(1)
  expect(await queued()).toEqual([])
})

test("a number's keyed hash is HMAC-SHA-256, as stored for earlier opt-outs", async () => {
  const { rows } = await base.db.query<{ key: string; hash: string }>(
    `select value #>> '{}' as key, encode(portal.opt_out_hash('5511955550177'), 'hex') as hash
     from portal.settings where key = 'opt_out_key'`,
  )
  const { key, hash } = rows[0]!
  expect(hash).toBe(createHmac('sha256', key).update('5511955550177').digest('hex'))
})
