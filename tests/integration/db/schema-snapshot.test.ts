// The schema may only grow: names and types on which clients rely stay.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openBase } from '#tests/support/database.ts'
import { readSchemaNames, type SchemaNames } from '#tests/support/schema/schema-names.ts'

const SNAPSHOT = path.resolve(import.meta.dirname, '../../support/schema/schema.snapshot.json')
const HOW_TO_WRITE = 'SCHEMA_SNAPSHOT=write npm run test:integration -- schema-snapshot'

const base = await openBase()
const now = await readSchemaNames(base.db)

const readSnapshot = async () => JSON.parse(await readFile(SNAPSHOT, 'utf8')) as SchemaNames

/** A function with additional arguments at its end, each with a default, still answers old calls. */
function isGrown(was: string, is: string | undefined): boolean {
  const [before, answer] = was.split(') -> ')
  const rest = is?.startsWith(`${before}, `) && is.endsWith(`) -> ${answer}`) ? is.slice(before?.length) : ''
  const added = rest.split(', ').slice(1)
  return added.length > 0 && added.every((argument) => argument.includes(' DEFAULT '))
}

test.each([
  ['(a integer) -> text', '(a integer, b text DEFAULT NULL::text) -> text', true],
  ['(a integer) -> text', '(a integer, b text) -> text', false],
  ['(a integer) -> text', '(a integer, b text DEFAULT NULL::text) -> bigint', false],
  ['(a integer) -> text', '(a bigint, b text DEFAULT NULL::text) -> text', false],
  ['(a integer) -> text', '(a integer) -> text', false],
])('%s has grown to %s: %s', (was, is, grown) => expect(isGrown(was, is)).toBe(grown))

test('nothing was removed or changed its type', async () => {
  const snapshot = await readSnapshot()
  const changed = Object.entries(snapshot)
    .filter(([name, what]) => now[name] !== what && !isGrown(what, now[name]))
    .map(([name, what]) => `${name}: was ${what}, is ${now[name] ?? 'gone'}`)
  expect(
    changed,
    'a shipped name may not change; take its line out of the snapshot only if it never shipped',
  ).toEqual([])
})

test('additions are in the snapshot', async () => {
  const snapshot = await readSnapshot()
  const added = Object.keys(now).filter(
    (name) => !(name in snapshot) || isGrown(snapshot[name] ?? '', now[name]),
  )
  if (process.env['SCHEMA_SNAPSHOT'] === 'write') {
    const stored = Object.entries(snapshot).filter(([name, what]) => !isGrown(what, now[name]))
    const grown = Object.entries({ ...now, ...Object.fromEntries(stored) }).toSorted(([a], [b]) =>
      a < b ? -1 : 1,
    )
    await writeFile(SNAPSHOT, JSON.stringify(Object.fromEntries(grown), null, 2) + '\n')
  } else expect(added, `write it with: ${HOW_TO_WRITE}`).toEqual([])
})
