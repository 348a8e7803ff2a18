// Reads kept by their words say the same as reads that are planned anew, whatever numbers they name.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyOf, type Catalog, type Table } from '#server/rest/catalog/model.ts'
import { RestError } from '#server/rest/errors.ts'
import { planned } from '#server/rest/kept-reads.ts'
import { namedIn } from '#server/rest/parse/logic.ts'
import type { Inquiry } from '#server/rest/plan.ts'
import { negotiateMedia } from '#server/rest/request/accept.ts'
import { parsePreferences } from '#server/rest/request/preferences.ts'

const column = (name: string, type: string) =>
  [name, { name, type, defaultSql: null, readOnlyFor: [] }] as const
const people: Table = {
  schema: 's',
  writes: [],
  name: 'people',
  primaryKey: ['id'],
  columns: new Map([column('id', 'integer'), column('age', 'integer'), column('name', 'text')]),
}
const newCatalog = (): Catalog => ({
  tables: new Map([[keyOf('s', 'people'), people]]),
  relationships: new Map(),
  routines: new Map(),
})

/** As a broker is told apart from an administrator: by the columns that the request names. */
function ask(catalog: Catalog, search: string, { range = '', prefer = '', isBroker = false } = {}) {
  const url = new URL(`http://portal/rest/v1/people${search}`)
  const inquiry: Inquiry = {
    request: new Request(url, { headers: range === '' ? {} : { range } }),
    url,
    role: 'authenticated',
    catalog,
    schema: 's',
    namesSchema: false,
    preferences: parsePreferences(prefer, false),
    media: negotiateMedia(null),
    maxRows: 100,
    bodyLimitBytes: 1_000,
    knownOf: (_, { conditions }) => (isBroker && !namedIn(conditions).includes('id') ? 'own' : null),
  }
  try {
    const { root, statement } = planned(inquiry, 'people')
    return { offset: root.offset, ...statement }
  } catch (error) {
    if (error instanceof RestError) return { refused: error.message }
    throw error
  }
}

const number = fc.oneof(
  fc.nat(),
  fc.constantFrom('0', '007', '900000000001000', '90000000000', '', 'x', '1.5'),
)
const part = fc.oneof(
  fc
    .tuple(fc.constantFrom('id', 'age', 'name', 'none', 'limit', 'order', 'select'), number)
    .map(([name, value]) => `${name}=eq.${value}`),
  fc.tuple(fc.constantFrom('limit', 'offset'), fc.nat({ max: 200 })).map(([name, rows]) => `${name}=${rows}`),
  fc.constantFrom(
    'select=id,name',
    'order=id.desc',
    'name=eq.5',
    'age=in.(1,2)',
    'and=(id.eq.3,age.gt.2)',
    'age=not.eq.4',
  ),
)
const asked = fc.record({
  search: fc.array(part, { maxLength: 4 }).map((parts) => (parts.length === 0 ? '' : `?${parts.join('&')}`)),
  range: fc.constantFrom('', '2-5'),
  prefer: fc.constantFrom('', 'count=exact'),
  isBroker: fc.boolean(),
})

test('a request says the same after any others as it says alone', () => {
  fc.assert(
    fc.property(fc.array(asked, { minLength: 1, maxLength: 12 }), (requests) => {
      const catalog = newCatalog()
      for (const { search, ...how } of requests)
        expect(ask(catalog, search, how)).toEqual(ask(newCatalog(), search, how))
    }),
  )
})

test('numbers differ in the values alone, and stay where their columns are', () => {
  const catalog = newCatalog()
  const first = ask(catalog, '?id=eq.1&age=eq.2')
  const second = ask(catalog, '?id=eq.30&age=eq.40')
  expect(second).toEqual({ ...first, values: ['30', '40'] })
  expect(ask(catalog, '?id=eq.1&age=eq.2')).toEqual(first)
})

test('a refusal names the number that was asked for', () => {
  const catalog = newCatalog()
  for (const number of ['12', '13'])
    expect(ask(catalog, `?limit=eq.${number}`)).toHaveProperty(
      'refused',
      expect.stringContaining(`eq.${number}`),
    )
})
