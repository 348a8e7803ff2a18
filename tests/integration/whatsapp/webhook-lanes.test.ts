// Reports of several instances are applied in parallel, each instance in order of arrival; only native Postgres has
// several connections.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { createLog } from '#server/log.ts'
import { openFolderStore } from '#server/storage/folder.ts'
import { takeLock } from '#server/whatsapp/webhook/apply.ts'
import { deliveriesOf } from '#server/whatsapp/gateway/rooms.ts'
import { createWebhook } from '#server/whatsapp/webhook/routes.ts'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { databasesOf, onPostgres, openBase } from '#tests/support/database.ts'
import { delivery, edited, NOON, upsert } from '#tests/support/deliveries.ts'
import { makeBroker, untilLockAwaited } from '#tests/support/make.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'

const base = await openBase()
const folder = await mkdtemp(path.join(tmpdir(), 'portal-lanes-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Several portals over the same database, and instances whose deliveries they get in turn. */
async function open(count: number) {
  let transactions = 0
  const counting = (db: Database): Database => ({
    ...db,
    transaction: (run, options) => {
      transactions += 1
      return db.transaction(run, options)
    },
  })
  const webhooks = await Promise.all(
    databasesOf(base.db).map(async (db) =>
      createWebhook({
        deliveriesOf,
        db: counting(db),
        clock: systemClock,
        log: createLog('error'),
        storage: await openFolderStore(folder),
      }),
    ),
  )
  const instances = await Promise.all(
    Array.from({ length: count }, async () => {
      const { instanceName } = await makeBroker(base.db)
      return { instanceName, secret: await mintWebhookSecret(base.db.query, instanceName) }
    }),
  )
  let turn = 0
  const post = async ({ instanceName, secret }: { instanceName: string; secret: string }, body: unknown) => {
    const webhook = webhooks[turn++ % webhooks.length]
    const written = JSON.stringify(body)
    const answer = await webhook?.routes.request(`/${instanceName}/${secret}`, {
      method: 'POST',
      body: written,
      headers: { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(written)) },
    })
    expect(answer?.status).toBe(200)
  }
  return {
    instances,
    post,
    transactions: () => transactions,
    /** One portal applies waiting deliveries; returns the stop function. */
    look: () => webhooks[0]!.start(),
    drained: () => Promise.all(webhooks.map((webhook) => webhook.drained())),
  }
}

/** This number is too long for the database's column. */
const REFUSED = delivery('qrcode.updated', { qrcode: { base64: 'x', count: 1_234_567_890_123 } })

/** Puts deliveries into the inbox, in this order. */
const leave = (instanceName: string, bodies: readonly unknown[]) =>
  base.db.query(
    `insert into portal.webhook_inbox ("instanceName", body, received_at)
    select $1, b, now() from unnest($2::text[]) with ordinality as u (b, n) order by n`,
    [instanceName, bodies.map((body) => JSON.stringify(body))],
  )

/** This many messages of one person. */
const fill = (instanceName: string, count: number) => {
  const remoteJid = `55119440${String(++people).padStart(5, '0')}@s.whatsapp.net`
  const messages = Array.from({ length: count }, (_, n) =>
    upsert({ id: `F${n}`, key: { remoteJid }, sentAt: NOON + n }),
  )
  return leave(instanceName, messages)
}
let people = 0

const countLines = async (names: readonly string[]) =>
  (
    await base.db.query('select from public.whatsapp_messages where "instanceName" = any($1::text[])', [
      names,
    ])
  ).rowCount

const countAside = async () => (await base.db.query('select from portal.webhook_aside')).rowCount

onPostgres.describe('several instances', () => {
  test('a blocked instance blocks no other', async () => {
    const { instances, post, drained } = await open(3)
    const [held, ...others] = instances
    if (!held) throw new Error('none')
    await base.db.transaction(async (query) => {
      await takeLock(query, held.instanceName)
      await post(held, upsert({ id: 'H1' }))
      await untilLockAwaited(base.db)
      for (const other of others) await post(other, upsert({ id: 'O1' }))
      await expect.poll(() => countLines(others.map(({ instanceName }) => instanceName))).toBe(2)
      expect(await countLines([held.instanceName])).toBe(0)
    })
    await drained()
    expect(await countLines([held.instanceName])).toBe(1)
  })

  test('the lock of all waits for running ones, and delays the next ones', async () => {
    const { instances, post, drained } = await open(2)
    await base.db.transaction(async (query) => {
      await takeLock(query)
      for (const instance of instances) await post(instance, upsert({ id: 'W1' }))
      await untilLockAwaited(base.db)
      const { rowCount } = await base.db.query(
        'select from portal.webhook_inbox where "instanceName" = any($1::text[])',
        [instances.map(({ instanceName }) => instanceName)],
      )
      expect(rowCount).toBe(2)
    })
    await drained()
    expect((await base.db.query('select from portal.webhook_inbox')).rowCount).toBe(0)
  })

  test.runIf(isDeepRun).each([
    ['four with much to apply keep a fifth', 5],
    ['eight with much to apply keep a ninth, which shares a lane with one of them,', 9],
  ])('%s waiting for a group, not until one of them is done', async (_, count) => {
    const { instances, look, drained } = await open(count)
    const names = instances.map(({ instanceName }) => instanceName)
    const small = names.at(-1)
    // In order of arrival the small one is the last.
    for (const name of names) await fill(name, name === small ? 1 : 300)
    const stop = look()
    await drained()
    await stop()
    const { rows } = await base.db.query<{ instanceName: string; lines: number; last: number }>(
      `select "instanceName", count(*) as lines, max(id) as last from public.whatsapp_messages
      where "instanceName" = any($1::text[]) group by 1`,
      [names],
    )
    expect(rows.map(({ lines }) => lines).toSorted((a, b) => a - b)).toEqual([
      1,
      ...names.slice(1).map(() => 300),
    ])
    const lastOf = (isSmall: boolean) =>
      rows.filter(({ instanceName }) => (instanceName === small) === isSmall).map(({ last }) => last)
    expect(Math.max(...lastOf(true))).toBeLessThan(Math.min(...lastOf(false)))
  })

  test('instances with few deliveries share a transaction; a blocked one gets its own, later', async () => {
    const { instances, look, drained, transactions } = await open(6)
    const names = instances.map(({ instanceName }) => instanceName)
    // Two instances share the first of four lanes.
    const [, held = ''] = names
    for (const name of names) await fill(name, 2)
    const stop = await base.db.transaction(async (query) => {
      await takeLock(query, held)
      const end = look()
      await expect.poll(() => countLines(names)).toBe(10)
      expect(await countLines([held])).toBe(0)
      return end
    })
    await drained()
    await stop()
    expect(await countLines([held])).toBe(2)
    expect(transactions()).toBe(5)
  })

  test('a refused delivery does not slow others in its lane', async () => {
    const { instances, look, drained, transactions } = await open(6)
    const [patient = '', refused = '', ...others] = instances.map(({ instanceName }) => instanceName)
    await fill(patient, 300)
    await leave(refused, [REFUSED])
    for (const name of [refused, ...others]) await fill(name, 1)
    const stop = look()
    await drained()
    await stop()
    expect(await countLines([patient, refused, ...others])).toBe(305)
    expect(await countAside()).toBe(1)
    // If both were retried together, each of the 300 would be a transaction.
    expect(transactions()).toBeLessThan(40)
    await base.db.query('delete from portal.webhook_aside')
  })

  test('the same new people write to all at once: one person each, in order of arrival, nothing set aside', async () => {
    const { instances, post, drained } = await open(6)
    const people = Array.from(
      { length: 12 },
      (_, at) => `55119300000${String(at).padStart(2, '0')}@s.whatsapp.net`,
    )
    await Promise.all(
      instances.map(async (instance, at) => {
        // Each in another order, so that they collide.
        const order = at % 2 === 0 ? people : people.toReversed()
        for (const [n, remoteJid] of order.entries()) {
          const id = `M${n}`
          await post(
            instance,
            upsert({ id, key: { remoteJid }, message: { conversation: 'um' }, sentAt: NOON + n }),
          )
          for (const [step, body] of ['dois', 'três'].entries())
            await post(instance, edited(id, body, (NOON + n) * 1000 + step + 1))
        }
      }),
    )
    await drained()
    const names = instances.map(({ instanceName }) => instanceName)
    const { rows: lines } = await base.db.query(
      `select "instanceName", count(*) as lines, count(*) filter (where body = 'três') as edited
       from public.whatsapp_messages where "instanceName" = any($1::text[]) group by 1`,
      [names],
    )
    expect(lines).toHaveLength(6)
    for (const line of lines) expect(line).toMatchObject({ lines: 12, edited: 12 })
    const { rows: met } = await base.db.query(
      `select count(distinct person_id) as people, count(*) as contacts
       from public.whatsapp_contacts where "instanceName" = any($1::text[])`,
      [names],
    )
    expect(met).toEqual([{ people: 12, contacts: 72 }])
    expect(await countAside()).toBe(0)
  })
})
