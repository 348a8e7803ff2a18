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

/** Keeps all of them at once: the first goes alone, the others are one group. */
async function keepTogether(perMinute: number, bodies: readonly string[]) {
  const key = randomUUID()
  await base.db.query(
    `insert into portal.intake_keys (id, kind, name, hash, per_minute, created_by, created_at)
     values ($1, 'form', 'Site', $2, $3, 'portal', now())`,
    [randomUUID(), hashKey(key), perMinute],
  )
  const store = createRawStore(base.db)
  const at = { nowMs: NOW_MS, retryAtMs: NOW_MS + 60_000 }
  return Promise.allSettled(
    bodies.map((body) =>
      store.keep(hashKey(key), { contentType: 'application/json', repeatKey: null, body }, at),
    ),
  )
}

const keptBodies = async () =>
  (await base.db.query<{ body: string }>('select body from portal.intake_raw order by id')).rows.map(
    ({ body }) => body,
  )

test('those of one group count one after the other against the limit of their key', async () => {
  const answers = await keepTogether(3, ['1', '2', '3', '4', '5'])
  expect(answers.map((answer) => answer.status === 'fulfilled' && answer.value)).toMatchObject([
    { waitSeconds: 0 },
    { waitSeconds: 0 },
    { waitSeconds: 0 },
    { waitSeconds: 60 },
    { waitSeconds: 60 },
  ])
  expect(await keptBodies()).toEqual(['1', '2', '3'])
})

test('one that the database refuses is refused alone', async () => {
  await base.db.query('delete from portal.intake_raw')
  // No text of Postgres holds a zero byte; the door takes it out before.
  const answers = await keepTogether(60, ['antes', 'primeiro', 'a\u0000b', 'depois'])
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(await keptBodies()).toEqual(['antes', 'primeiro', 'depois'])
})
