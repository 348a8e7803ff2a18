// Bodies that arrive together share a commit: each counts for its key's limit, and a refused one fails alone.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashKey } from '#server/leads/intake/keys.ts'
import { createRawStore } from '#server/leads/intake/raw/store.ts'
import { openBase } from '#tests/support/database.ts'

const NOW_MS = Date.parse('2026-11-27T12:00:00Z')

const base = await openBase()

/** A new key with this limit per minute. */
async function makeKey(perMinute: number) {
  const key = randomUUID()
  await base.db.query(
    `insert into portal.intake_keys (id, kind, name, hash, per_minute, created_by, created_at)
     values ($1, 'form', 'Site', $2, $3, 'portal', now())`,
    [randomUUID(), hashKey(key), perMinute],
  )
  return hashKey(key)
}

/** Stores all of them at once: the first goes alone, the others are one group. */
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

test("bodies in one group count one after the other for their key's limit", async () => {
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

test('each key in a group has its own limit, and an unknown or disabled one stores nothing', async () => {
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

test('a body that the database refuses fails alone', async () => {
  await base.db.query('delete from portal.intake_raw')
  const key = await makeKey(60)
  // Postgres text cannot contain a zero byte; the route removes it before.
  const answers = await keepTogether(
    ['antes', 'primeiro', 'a\u0000b', 'depois'].map((body) => ({ key, body })),
  )
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(await keptBodies()).toEqual(['antes', 'primeiro', 'depois'])
})
