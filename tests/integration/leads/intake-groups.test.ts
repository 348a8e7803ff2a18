// Bodies that come in together share a commit: each counts against its key's limit, and one that is refused takes nobody with it.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashKey } from '#server/leads/intake/keys.ts'
import { createRawStore } from '#server/leads/intake/raw/store.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

const NOW_MS = Date.parse('2026-11-27T12:00:00Z')

let base: TestDatabase
beforeAll(async () => {
  base = await openTestDatabase('migrated')
})
afterAll(() => base.close())

/** Of a key of its own, that may bring so many in a minute. */
async function makeKey(perMinute: number) {
  const key = randomUUID()
  await base.db.query(
    `insert into portal.intake_keys (id, kind, name, hash, per_minute, created_by, created_at)
     values ($1, 'form', 'Site', $2, $3, 'portal', now())`,
    [randomUUID(), hashKey(key), perMinute],
  )
  return hashKey(key)
}

/** Keeps all of them at once: the first goes alone, the others are one group. */
function keepTogether(sent: readonly { key: Uint8Array; body: string }[]) {
  const store = createRawStore(base.db)
  const at = { nowMs: NOW_MS, retryAtMs: NOW_MS + 60_000 }
  return Promise.allSettled(
    sent.map(({ key, body }) =>
      store.keep(key, { contentType: 'application/json', repeatKey: null, body }, at),
    ),
  )
}

const keptBodies = async () =>
  (await base.db.query<{ body: string }>('select body from portal.intake_raw order by id')).rows.map(
    ({ body }) => body,
  )

test('those of one group count one after the other against the limit of their key', async () => {
  const key = await makeKey(3)
  const answers = await keepTogether(['1', '2', '3', '4', '5'].map((body) => ({ key, body })))
  expect(answers.map((answer) => answer.status === 'fulfilled' && answer.value)).toMatchObject([
    { waitSeconds: 0 },
    { waitSeconds: 0 },
    { waitSeconds: 0 },
    { waitSeconds: 60 },
    { waitSeconds: 60 },
  ])
  expect(await keptBodies()).toEqual(['1', '2', '3'])
})

test('each key of a group has its own limit, and one that is unknown or off keeps nothing', async () => {
  await base.db.query('delete from portal.intake_raw')
  const [ana, bia, off] = [await makeKey(2), await makeKey(2), await makeKey(2)]
  await base.db.query('update portal.intake_keys set off_at = now() where hash = $1', [off])
  const answers = await keepTogether([
    { key: ana, body: 'ana 1' },
    { key: bia, body: 'bia 1' },
    { key: ana, body: 'ana 2' },
    { key: hashKey('nobody'), body: 'x' },
    { key: ana, body: 'ana 3' },
    { key: off, body: 'x' },
    { key: bia, body: 'bia 2' },
    { key: bia, body: 'bia 3' },
  ])
  expect(answers.map((answer) => answer.status === 'fulfilled' && answer.value)).toMatchObject([
    { waitSeconds: 0 },
    { waitSeconds: 0 },
    { waitSeconds: 0 },
    null,
    { waitSeconds: 60 },
    { isOff: true },
    { waitSeconds: 0 },
    { waitSeconds: 60 },
  ])
  expect(await keptBodies()).toEqual(['ana 1', 'bia 1', 'ana 2', 'bia 2'])
})

test('one that the database refuses is refused alone', async () => {
  await base.db.query('delete from portal.intake_raw')
  const key = await makeKey(60)
  // No text of Postgres holds a zero byte; the door takes it out before.
  const answers = await keepTogether(
    ['antes', 'primeiro', 'a\u0000b', 'depois'].map((body) => ({ key, body })),
  )
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(await keptBodies()).toEqual(['antes', 'primeiro', 'depois'])
})
