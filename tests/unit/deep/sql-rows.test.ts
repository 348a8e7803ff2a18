// The declared rows of the server's statements, and what violates them.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { faultsOf } from '#tests/support/schema/sql-rows.ts'
import { keptSqlShapes } from '#tests/support/schema/kept-shapes.mjs'

const NULLABLE = { oneOf: ['string', 'null'] } as const

test.each([
  ['a string', 'string', 'a', []],
  ['a number in the place of a string', 'string', 1, ['row is number, not string']],
  ['null where it may not be', { fields: { id: 'number' } }, { id: null }, ['row.id is null, not number']],
  ['null where it may be', { fields: { name: { oneOf: [...NULLABLE.oneOf] } } }, { name: null }, []],
  [
    'a column of another name',
    { fields: { line: 'string' } },
    { message: 'a' },
    ['row.line is undefined, not string'],
  ],
  ['a column more than is read', { fields: { id: 'number' } }, { id: 1, other: 2 }, []],
  ['a list', { list: 'number' }, [1, 'b'], ['row[1] is string, not number']],
  [
    'a state that is not listed',
    { oneOf: [{ value: 'sent' }, { value: 'read' }] },
    'lost',
    ['row is not "sent"; row is not "read"'],
  ],
  ['bytes', 'bytes', new Uint8Array(), []],
  ['anything', 'any', undefined, []],
] as const)('%s', (_, shape, value, faults) => {
  expect(faultsOf(structuredClone(shape) as Parameters<typeof faultsOf>[0], value, 'row')).toEqual(faults)
})

// The compiler reads the whole server, unless it was read since its last change.
test(
  'every typed statement of the server is read, except those built for each call',
  { timeout: 180_000 },
  async () => {
    const { shapes, unread } = JSON.parse(await readFile(await keptSqlShapes(), 'utf8'))
    expect(Object.keys(shapes).length).toBeGreaterThan(100)
    // The first passes its callers' types on; the second has a time limit beside its text.
    expect(unread).toEqual(['server/db/asking.ts', 'server/db/postgres/listener.ts'])
  },
)
