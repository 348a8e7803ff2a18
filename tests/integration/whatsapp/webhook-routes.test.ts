// The webhook's address: who may report, what is stored, and recovery after a crash or a fault.
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { systemClock } from '#server/clock.ts'
import { databaseClock } from '#tests/support/clock.ts'
import { openBase } from '#tests/support/database.ts'
import { ack, connection, delivery, image, NOON, upsert } from '#tests/support/deliveries.ts'
import { createLatch } from '#tests/support/latch.ts'
import {
  addInstance,
  clearState,
  INSTANCE,
  openWebhook,
  stateOf,
  type TestWebhook,
} from '#tests/support/webhook.ts'

const OTHER = 'corretor_bia'

const test = await openBase()
await addInstance(test.db, OTHER)
const webhook = await openWebhook(test.db)
afterEach(async () => {
  webhook.lines.length = 0
  webhook.news.length = 0
  await clearState(test.db)
})
afterAll(() => webhook.close())

const countOf = async (table: string): Promise<number> =>
  (await test.db.query<{ n: number }>(`select count(*) as n from ${table}`)).rows[0]?.n ?? 0

describe('authentication', () => {
  it.each([
    ['a wrong secret', () => `/${INSTANCE}/wrong`],
    ['an unknown instance', () => `/corretor_ninguem/${webhook.secret}`],
    ['an instance without a secret', () => `/${OTHER}/${webhook.secret}`],
  ])('%s: 401, nothing stored', async (_, address) => {
    expect((await webhook.send(upsert(), address())).status).toBe(401)
    await webhook.drained()
    expect(await webhook.counts()).toEqual({ waiting: 0, setAside: 0 })
    expect(await countOf('public.whatsapp_messages')).toBe(0)
  })

  it("accepts the gateway's way of adding the event to the address", async () => {
    expect((await webhook.send(upsert(), `/${INSTANCE}/${webhook.secret}/messages-upsert`)).status).toBe(200)
    await webhook.drained()
    expect(await countOf('public.whatsapp_messages')).toBe(1)
  })

  it('keeps the secret before the newest valid, and no older one', async () => {
    await addInstance(test.db, 'corretor_carla')
    const address = (secret: string) => `/corretor_carla/${secret}`
    const first = await mintWebhookSecret(test.db.query, 'corretor_carla')
    const second = await mintWebhookSecret(test.db.query, 'corretor_carla')
    expect((await webhook.send(upsert(), address(first))).status).toBe(200)
    expect((await webhook.send(upsert(), address(second))).status).toBe(200)
    await webhook.drained()
    const third = await mintWebhookSecret(test.db.query, 'corretor_carla')
    const late = await openWebhook(test.db, { secret: webhook.secret })
    expect((await late.send(upsert(), address(first))).status).toBe(401)
    expect((await late.send(upsert(), address(third))).status).toBe(200)
    await late.drained()
    await late.close()
  })

  it('stores the secret as a hash only', async () => {
    const { rows } = await test.db.query<{ row: string }>(
      'select s::text as row from portal.webhook_secrets s',
    )
    expect(rows.map(({ row }) => row).join()).not.toContain(webhook.secret)
  })
})

/** This number is too long for the database's column. */
const POISONED = delivery('qrcode.updated', {
  qrcode: { base64: 'data:image/png;base64,aa', count: 1_234_567_890_123 },
})

describe('invalid events', () => {
  it.each([['not json'], ['[]'], ['{"event":"messages.upsert","data":{}}'], ['\u0000'], ['']])(
    '%j is set aside and counted, 200',
    async (body) => {
      expect(await webhook.post(body)).toBe(200)
      expect(await webhook.counts()).toEqual({ waiting: 0, setAside: 1 })
    },
  )

  it('events that concern nobody are not stored', async () => {
    expect(await webhook.post(delivery('presence.update', { id: 'x' }))).toBe(200)
    expect(await webhook.post(upsert({ key: { remoteJid: 'status@broadcast' } }))).toBe(200)
    expect(await webhook.counts()).toEqual({ waiting: 0, setAside: 0 })
  })

  it('one that the database refuses is set aside, and its neighbours are applied', async () => {
    await Promise.all(
      [upsert({ id: 'A' }), POISONED, upsert({ id: 'B' }), POISONED, upsert({ id: 'C' })].map(webhook.post),
    )
    await webhook.drained()
    expect(await webhook.counts()).toEqual({ waiting: 0, setAside: 2 })
    const { messages } = await stateOf(test.db)
    expect(messages.map((row) => row['message_id'])).toEqual(['A', 'B', 'C'])
  })
})

describe('faults', () => {
  /** A database in which every statement that contains this word fails. */
  const failing = (word: string): Database => {
    const fail = () => Promise.reject(new Error('the connection is gone'))
    return {
      ...test.db,
      query: (sql, values) => (sql.includes(word) ? fail() : test.db.query(sql, values)),
      transaction: (run, options) =>
        test.db.transaction(
          (query) => run((sql, values) => (sql.includes(word) ? fail() : query(sql, values))),
          options,
        ),
    }
  }

  it('killed between storing and applying: applied once at the next start', async () => {
    const dying = await openWebhook(failing('apply_event'), {
      clock: databaseClock(),
      secret: webhook.secret,
    })
    expect(await dying.post(upsert({ id: 'A' }))).toBe(200)
    expect(await dying.post(ack('A', 'READ', false))).toBe(200)
    expect(await dying.counts()).toEqual({ waiting: 2, setAside: 0 })
    expect(await countOf('public.whatsapp_messages')).toBe(0)
    await dying.close()

    const next = await openWebhook(test.db, { secret: webhook.secret })
    const stop = next.start()
    await next.drained()
    await stop()
    await next.close()
    expect(await webhook.counts()).toEqual({ waiting: 0, setAside: 0 })
    const { messages } = await stateOf(test.db)
    expect(messages).toMatchObject([{ message_id: 'A', read: true }])
  })

  it('two portals meet a refused one: it is set aside once, and no other', async () => {
    const quick = await openWebhook({ ...test.db }, { secret: webhook.secret })
    const deaf = await openWebhook(failing('apply_event'), { clock: databaseClock(), secret: webhook.secret })
    let refusals = 0
    const slow = await openWebhook(
      {
        ...test.db,
        transaction: (run, options) =>
          test.db.transaction(run, options).catch(async (error: unknown) => {
            // The delivery is tried in a group, then in a smaller one, then alone.
            if (++refusals === 3) {
              await quick.take([upsert({ id: 'A' })])
              await deaf.post(upsert({ id: 'B' }))
            }
            throw error
          }),
      },
      { secret: webhook.secret },
    )
    await slow.take([POISONED])
    expect(await webhook.counts()).toEqual({ waiting: 0, setAside: 1 })
    const { messages } = await stateOf(test.db)
    expect(messages.map((row) => row['message_id'])).toEqual(['A', 'B'])
    for (const each of [quick, deaf, slow]) await each.close()
  })

  it('a single delivery takes one transaction, and those that come as it ends share the next', async () => {
    let transactions = 0
    let atEnd: (() => Promise<unknown>) | null = null
    const counting: Database = {
      ...test.db,
      transaction: async (run, options) => {
        transactions += 1
        const result = await test.db.transaction(run, options)
        const next = atEnd
        atEnd = null
        await next?.()
        return result
      },
    }
    const clock = databaseClock()
    const portal = await openWebhook(counting, { clock, secret: webhook.secret })
    await portal.take([upsert({ id: 'A' })])
    expect(transactions).toBe(1)
    atEnd = () => portal.post(upsert({ id: 'C' }))
    await portal.post(upsert({ id: 'B' }))
    await expect.poll(clock.nextDueInMs).toBe(20)
    await portal.post(upsert({ id: 'D' }))
    expect(transactions).toBe(2)
    clock.advance(20)
    await portal.drained()
    expect(transactions).toBe(3)
    expect(await countOf('public.whatsapp_messages')).toBe(4)
    expect(await countOf('portal.webhook_inbox')).toBe(0)
    await portal.close()
  })

  it('with the database down: 503, so that the gateway repeats it, and no secret in the log', async () => {
    const away = await openWebhook(failing('webhook_inbox'), {
      clock: databaseClock(),
      secret: webhook.secret,
    })
    const response = await away.send(upsert())
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('5')
    expect(away.lines.join()).toContain('webhook.failed')
    expect(away.lines.join()).not.toContain(away.secret)
    await away.close()
  })

  it('too many at once wait unread; 503 for those that wait too long; a text does not wait for files', async () => {
    const opening = createLatch()
    const full = createLatch()
    const line = databaseClock()
    let inside = 0
    const large = { requests: 2, bytes: 1_000_000, waiting: 1, waitMs: 20_000 }
    // Each portal has its own memory limit.
    const busy = await openWebhook(
      { ...test.db },
      {
        secret: webhook.secret,
        // The test controls only the wait in the queue.
        clock: {
          ...systemClock,
          sleep: (ms, signal) => (ms === large.waitMs ? line : systemClock).sleep(ms, signal),
        },
        sizes: { plainBytes: 2_000, stringBytes: 1_000, fileBytes: 100_000, textBytes: 20_000 },
        limits: { small: { ...large, requests: 100 }, large },
        storage: {
          ...webhook.storage,
          put: async (bytes) => {
            if (++inside === 2) full.open()
            await opening.opened
            return webhook.storage.put(bytes)
          },
        },
      },
    )
    const file = (id: string) =>
      busy.post(image({ id, bytes: crypto.getRandomValues(new Uint8Array(9_000)) }))
    const first = Promise.all([file('M1'), file('M2')])
    await full.opened
    expect(await busy.post(upsert({ id: 'M4' }))).toBe(200)
    // One waits; the other finds the queue full.
    const further = [file('M3'), file('M5')]
    expect(await Promise.race(further)).toBe(503)
    line.advance(large.waitMs)
    expect(await Promise.all(further)).toEqual([503, 503])
    const again = file('M3')
    opening.open()
    expect(await first).toEqual([200, 200])
    expect(await again).toBe(200)
    await busy.drained()
    const { messages } = await stateOf(test.db)
    expect(new Set(messages.map((row) => row['message_id']))).toEqual(new Set(['M1', 'M2', 'M3', 'M4']))
    await busy.close()
  })

  it('a delivery nested too deeply is set aside, once, and accepted', async () => {
    const nested = (depth: number) =>
      `{"event":"messages.upsert","data":${'{"message":'.repeat(depth)}{}${'}'.repeat(depth)}}`
    expect(await webhook.post(nested(6_000))).toBe(200)
    await webhook.drained()
    const { rows } = await test.db.query('select reason from portal.webhook_aside')
    expect(rows).toEqual([{ reason: 'too-deep' }])
    expect(await countOf('portal.webhook_inbox')).toBe(0)
    expect(await webhook.post(upsert({ id: 'M1' }))).toBe(200)
  })

  it('two portals over one database apply each event once', async () => {
    const second = await openWebhook(test.db, { secret: webhook.secret })
    const ids = Array.from({ length: 40 }, (_, index) => `M${index}`)
    await Promise.all(ids.map((id, index) => (index % 2 === 0 ? webhook : second).post(upsert({ id }))))
    await Promise.all([webhook.drained(), second.drained()])
    expect(await countOf('public.whatsapp_messages')).toBe(40)
    const { contacts } = await stateOf(test.db)
    expect(contacts).toMatchObject([{ unread_count: 40 }])
    await second.close()
  })
})

describe('media', () => {
  it('is stored once despite repeats, and not in the raw body', async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(60_000))
    await webhook.take([image({ id: 'A', bytes }), image({ id: 'A', bytes }), image({ id: 'B', bytes })])
    const { messages } = await stateOf(test.db)
    const ids = messages.map((row) => (row['content'] as { mediaId: string }).mediaId)
    expect(new Set(ids).size).toBe(1)
    const stored = await webhook.storage.find(ids[0] ?? '')
    expect(stored && new Uint8Array(await new Response(stored.read()).arrayBuffer())).toEqual(bytes)
  })

  it('a reference sent from outside is ignored', async () => {
    const forged = image({ id: 'A' })
    const data = forged['data'] as { message: Record<string, unknown> }
    data.message['base64'] = `stored:${'a'.repeat(64)}`
    await webhook.take([forged])
    const { messages } = await stateOf(test.db)
    expect(messages).toHaveLength(1)
    expect(messages).not.toMatchObject([{ content: { mediaId: 'a'.repeat(64) } }])
  })

  describe('larger than the limit', () => {
    let small: TestWebhook
    beforeEach(async () => {
      const sizes = { plainBytes: 10_000, stringBytes: 1_000, fileBytes: 15_000, textBytes: 20_000 }
      small = await openWebhook(test.db, { secret: webhook.secret, sizes })
    })
    afterEach(() => small.close())

    it('keeps its message, without a file', async () => {
      await small.take([image({ id: 'A', bytes: new Uint8Array(60_000) })])
      expect((await stateOf(test.db)).messages).toMatchObject([
        { body: 'foto', kind: 'image', content: { mediaId: null, sizeBytes: 70, mimeType: 'image/jpeg' } },
      ])
    })

    it('without a file is refused with a status that ends repeats', async () => {
      const words = Array.from({ length: 100 }, () => 'a'.repeat(900))
      expect(await small.post(delivery('messages.upsert', words))).toBe(422)
      expect(await countOf('portal.webhook_inbox')).toBe(0)
    })
  })

  it('bytes that come with a later report are stored', async () => {
    const without = image({ id: 'A' })
    delete (without['data'] as { message: Record<string, unknown> }).message['base64']
    await webhook.take([without])
    expect((await stateOf(test.db)).messages).toMatchObject([{ content: { mediaId: null } }])
    await webhook.take([image({ id: 'A' })])
    expect((await stateOf(test.db)).messages).toMatchObject([{ content: { mediaId: expect.any(String) } }])
  })
})

describe('notifications', () => {
  it('of each opening of a link, once despite repeats', async () => {
    const open = (atMs: number) => connection('open', atMs, { wuid: '5511900000001@s.whatsapp.net' })
    await webhook.take([open(NOON * 1000 + 5), open(NOON * 1000 + 5), open(NOON * 1000)])
    expect(webhook.news).toEqual([{ instanceName: INSTANCE, kind: 'linked' }])
    await webhook.take([open(NOON * 1000 + 9)])
    expect(webhook.news).toHaveLength(2)
  })

  it('of a lead with a hidden number', async () => {
    await webhook.take([upsert({ key: { remoteJid: '99887766554433@lid' } })])
    expect(webhook.news).toEqual([{ instanceName: INSTANCE, kind: 'number-hidden' }])
  })
})
