// The schema may only grow: what clients once could rely on stays, by name and type.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { readSchemaNames, type SchemaNames } from '#tests/support/schema-names.ts'

const SNAPSHOT = path.resolve(import.meta.dirname, '../support/schema.snapshot.json')
const HOW_TO_WRITE = 'SCHEMA_SNAPSHOT=write npm run test:integration -- schema-snapshot'

let base: TestDatabase
let now: SchemaNames
beforeAll(async () => {
  base = await openTestDatabase('migrated')
  now = await readSchemaNames(base.db)
})
afterAll(() => base.close())

const readSnapshot = async () => JSON.parse(await readFile(SNAPSHOT, 'utf8')) as SchemaNames

test('nothing that was there is gone or of another type', async () => {
  const snapshot = await readSnapshot()
  const changed = Object.entries(snapshot)
    .filter(([name, what]) => now[name] !== what)
    .map(([name, what]) => `${name}: was ${what}, is ${now[name] ?? 'gone'}`)
  expect(
    changed,
    'a shipped name may not change; take its line out of the snapshot only if it never shipped',
  ).toEqual([])
})

test('what is new is in the snapshot', async () => {
  const snapshot = await readSnapshot()
  const added = Object.keys(now).filter((name) => !(name in snapshot))
  if (process.env['SCHEMA_SNAPSHOT'] === 'write') {
    const grown = Object.entries({ ...now, ...snapshot }).toSorted(([a], [b]) => (a < b ? -1 : 1))
    await writeFile(SNAPSHOT, JSON.stringify(Object.fromEntries(grown), null, 2) + '\n')
  } else expect(added, `write it with: ${HOW_TO_WRITE}`).toEqual([])
})
