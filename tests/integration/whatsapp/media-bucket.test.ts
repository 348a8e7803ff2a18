// A portal whose media lie in a bucket: sent, opened, erased; and what everybody sees while the bucket does not answer.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { createRunner } from '#server/campaigns/campaign-worker.ts'
import type { Database } from '#server/db/database.ts'
import { createDatabaseStore } from '#server/storage/database.ts'
import { mediaId } from '#server/storage/media-store.ts'
import { createWaiting } from '#server/storage/waiting.ts'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { manualClock } from '#tests/support/clock.ts'
import { untilQuiet } from '#tests/support/database.ts'
import { image } from '#tests/support/deliveries.ts'
import { eventually } from '#tests/support/eventually.ts'
import { PDF, PNG } from '#tests/support/files.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { makeCampaign, makeContact, makeRecipient } from '#tests/support/make.ts'
import { openBucketStore, openLayeredStore } from '#tests/support/media.ts'
import { openOffice } from '#tests/support/office.ts'
import { openScriptedBucket } from '#tests/support/scripted-bucket.ts'
import { areSettled, untilMessages, type OutgoingMessage } from '#tests/support/sending.ts'

/** In São Paulo, within the hours of campaigns. */
const FRIDAY_NOON = Date.parse('2026-11-20T15:00:00Z')
const ON_ITS_WAY = /^(sent|delivered|read)$/
const PHONE = '5511955550101'
const AWAY = {
  status: 503,
  body: {
    error: {
      code: 'media.store-away',
      message: 'As mídias não respondem agora. Tente de novo em instantes.',
    },
  },
}

const bucket = await openScriptedBucket()
/** How far the clock is turned on by which the portal lets bytes rest. */
const ahead = { ms: 0 }
const storage = (db: Database) =>
  openLayeredStore(
    db,
    openBucketStore(db, bucket, () => Date.now() + ahead.ms),
  )
const { db, portal, ana, asAna, asBia, asAdmin, close } = await openOffice({ storage })
afterAll(async () => {
  await close()
  await bucket.close()
})
await portal.through(asAna.call('/api/instance/connect', {}))
portal.control.scan({ instance: ana.instanceName, number: PHONE })
await portal.through(
  (async () => {
    while ((await asAna.call('/api/instance?fresh=1')).body['number'] !== PHONE);
  })(),
)
const webhook = `/webhook/${ana.instanceName}/${await mintWebhookSecret(db.query, ana.instanceName)}`

const fresh = async (columns = {}) => (await makeContact(db, ana.instanceName, columns)).id
const until = (contact: number, fit: (messages: OutgoingMessage[]) => boolean) =>
  portal.through(untilMessages(db, contact, fit))
/** The phone's own report of each message has come, too: applied later, it would put the file once more. */
const untilReported = (contact: number) =>
  until(contact, (messages) => messages.every(({ delivery }) => /^(delivered|read)$/.test(delivery ?? '')))
const messageIn = ({ body }: { body: Record<string, unknown> }) =>
  body['message'] as { id: number; content: { mediaId: string } }
const rowsOf = async () => (await db.query<{ id: string }>('select id from portal.media order by id')).rows

function sendFile(contact: number, bytes: Uint8Array, calls = asAna, kind = 'image') {
  const body = new FormData()
  const message = { contactId: contact, kind, operationId: randomUUID(), fileName: 'a.pdf' }
  body.set('message', JSON.stringify(message))
  body.set('file', new Blob([new Uint8Array(bytes)]), 'upload')
  return calls.send('/api/messages/media', body)
}
const text = (contact: number) =>
  asAna.call('/api/messages/text', { contactId: contact, text: 'Oi', operationId: randomUUID() })
/** Bytes like no others. */
const photo = () => Buffer.concat([PNG, Buffer.from(randomUUID())])
const deliver = (id: string, bytes: Uint8Array) =>
  portal.request(webhook, { method: 'POST', body: JSON.stringify(image({ id, bytes })) })
const delivered = (id: string) =>
  eventually(async () => {
    const { rows } = await db.query<{ id: number }>(
      `select id from public.whatsapp_messages where message_id = $1`,
      [id],
    )
    expect(rows).toHaveLength(1)
    return rows[0]!.id
  })

test('a file is an object under its hash, sent from there, and opened by who may see it alone', async () => {
  const contact = await fresh()
  const bytes = photo()
  const sent = messageIn(await sendFile(contact, bytes))
  expect(bucket.objects.get(mediaId(bytes))?.bytes.equals(bytes)).toBe(true)
  expect([sent.content.mediaId, await rowsOf()]).toEqual([mediaId(bytes), []])
  expect(await until(contact, areSettled)).toMatchObject([{ delivery: expect.stringMatching(ON_ITS_WAY) }])
  const link = await asAna.call(`/api/messages/${sent.id}/media`, {})
  const url = String(link.body['url'])
  expect(url).toMatch(/^\/api\/media\//)
  const part = await portal.request(url, { headers: { range: 'bytes=3-9' } })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 3-9/${bytes.length}`])
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(3, 10))).toBe(true)
  expect((await asBia.call(`/api/messages/${sent.id}/media`, {})).status).toBe(404)
  expect((await portal.request(`/api/media/${mediaId(bytes)}`)).status).toBe(404)
})

test('an erased person’s file leaves the bucket', async () => {
  const contact = await fresh({ number: '11970000077' })
  const bytes = photo()
  await sendFile(contact, bytes)
  await untilReported(contact)
  const erase = { number: '11970000077', operationId: randomUUID() }
  expect(await asAdmin.call('/api/people/erase', erase)).toMatchObject({ status: 200, body: { files: 1 } })
  await eventually(async () => {
    bucket.age(120_000)
    ahead.ms += 120_000
    await db.query(`update portal.media_puts set put_at = put_at - interval '2 minutes'`)
    portal.clock.advance(60_000)
    expect((await db.query('select from portal.media_removals')).rowCount).toBe(0)
    expect(bucket.objects.has(mediaId(bytes))).toBe(false)
  })
})

describe('while the bucket does not answer', () => {
  afterEach(() => void (bucket.state.isDown = false))

  test('sending and opening files say to try again, texts go on, and health has its word', async () => {
    const contact = await fresh()
    const bytes = photo()
    const { id } = messageIn(await sendFile(contact, bytes))
    const link = String((await asAna.call(`/api/messages/${id}/media`, {})).body['url'])
    await until(contact, areSettled)
    expect((await asAdmin.call('/api/health')).body).toMatchObject({ status: 'ok' })

    bucket.state.isDown = true
    expect(await sendFile(contact, photo())).toMatchObject(AWAY)
    expect((await portal.request(link)).status).toBe(503)
    // Each of two portals notices the outage by itself.
    await portal.request(link)
    expect(await asAna.call(`/api/messages/${id}/media`, {})).toMatchObject(AWAY)
    expect((await text(contact)).status).toBe(200)
    expect(await until(contact, areSettled)).toHaveLength(2)
    const health = await asAdmin.call('/api/health')
    expect(health).toMatchObject({ status: 200, body: { status: 'degraded', faults: ['media-away'] } })

    bucket.state.isDown = false
    const opened = await portal.request(link)
    expect(Buffer.from(await opened.arrayBuffer()).equals(bytes)).toBe(true)
  })

  test('a queued file fails with words and goes when it is sent again; a text behind it has gone', async () => {
    const [from, to] = [await fresh(), await fresh()]
    const { id: messageId } = messageIn(await sendFile(from, photo()))
    await untilReported(from)
    bucket.state.isDown = true
    await asAna.call('/api/messages/forward', { contactId: to, messageId, operationId: randomUUID() })
    await text(to)
    const [file, words] = await until(to, areSettled)
    expect(file).toMatchObject({ delivery: 'failed', delivery_reason: 'media-away' })
    expect(words).toMatchObject({ delivery: expect.stringMatching(ON_ITS_WAY) })
    bucket.state.isDown = false
    await asAna.call(`/api/messages/${file?.id}/retry`, { operationId: randomUUID() })
    await until(
      to,
      (messages) => messages.filter(({ delivery }) => ON_ITS_WAY.test(delivery ?? '')).length === 2,
    )
  })

  test('what the gateway delivers waits in the database, is opened from there, and goes to the bucket later', async () => {
    const bytes = photo()
    const isWaiting = async () => (await rowsOf()).some((row) => row.id === mediaId(bytes))
    bucket.state.isDown = true
    expect((await deliver('AWAY1', bytes)).status).toBe(200)
    const id = await delivered('AWAY1')
    expect(await isWaiting()).toBe(true)
    const link = await asAna.call(`/api/messages/${id}/media`, {})
    const opened = await portal.request(String(link.body['url']))
    expect(Buffer.from(await opened.arrayBuffer()).equals(bytes)).toBe(true)

    const rows = createDatabaseStore(db)
    const parts = { db, clock: portal.clock, log: silentLog, rows, bucket: openBucketStore(db, bucket) }
    const waiting = createWaiting(parts)
    const stop = waiting.start()
    await waiting.settled()
    expect(await isWaiting()).toBe(true)
    bucket.state.isDown = false
    await db.query(`update portal.media set put_at = put_at - interval '2 minutes'`)
    portal.clock.advance(30_000)
    await waiting.settled()
    expect([await isWaiting(), bucket.objects.get(mediaId(bytes))?.bytes.equals(bytes)]).toEqual([
      false,
      true,
    ])
    await stop()
  })

  test('a campaign with a file waits for it', async () => {
    const { content } = messageIn(await sendFile(await fresh(), PDF, asAna, 'document'))
    const media = JSON.stringify({ kind: 'document', content })
    const { id: campaignId } = await makeCampaign(db, ana.id, { status: 'running', media, total_contacts: 1 })
    await makeRecipient(db, campaignId, await makeContact(db, ana.instanceName))
    const clock = manualClock(FRIDAY_NOON)
    const away = { is: true, asked: 0 }
    const isAway = () => {
      away.asked += 1
      return away.is
    }
    const runner = createRunner({
      db,
      clock,
      log: silentLog,
      storage: { isAway },
      delayMs: { min: 0, max: 0 },
      zone: 'America/Sao_Paulo',
      isAway: () => false,
      showTyping: undefined,
      onQueued: () => undefined,
    })
    const state = async () =>
      (
        await db.query<{ state: string }>(
          'select state from public.campaign_recipients where campaign_id = $1',
          [campaignId],
        )
      ).rows
    const stop = runner.start()
    await eventually(() => expect(away.asked).toBe(1))
    await untilQuiet(db)
    expect(await state()).toEqual([{ state: 'pending' }])
    away.is = false
    clock.advance(1_000)
    await eventually(async () => expect(await state()).toEqual([{ state: 'sending' }]))
    await stop()
  })
})
