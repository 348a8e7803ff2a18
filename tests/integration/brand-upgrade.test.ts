// A portal that has people keeps the name that it had on every screen; an empty one begins without any.
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from '#server/db/migrate.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { makeAdmin } from '#tests/support/make.ts'

const DIRECTORY = path.resolve(import.meta.dirname, '../../supabase/migrations')
/** The first that knows of a brand. */
const FIRST = '20261124190000'

test.each([
  ['that is in use', true, ['RHS']],
  ['without people', false, []],
])('a database %s', async (_, hasPeople, expected) => {
  const { db, close } = await openTestDatabase('empty')
  const before = await mkdtemp(path.join(tmpdir(), 'portal-before-brand-'))
  try {
    for (const file of await readdir(DIRECTORY))
      if (file.slice(0, 14) < FIRST) await cp(path.join(DIRECTORY, file), path.join(before, file))
    await migrate(db, before)
    if (hasPeople) await makeAdmin(db)
    await migrate(db, DIRECTORY)
    const { rows } = await db.query<{ name: string }>(
      `select value #>> '{}' as name from portal.settings where key = 'agency_name'`,
    )
    expect(rows.map(({ name }) => name)).toEqual(expected)
  } finally {
    await close()
    await rm(before, { recursive: true, force: true })
  }
})
