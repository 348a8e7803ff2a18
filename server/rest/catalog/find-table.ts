// Finds tables and relationships by name; a miss is PostgREST's error with a hint.
import { RestError } from '../errors.ts'
import type { SelectRelation } from '../parse/select.ts'
import { keyOf, type Catalog, type Relationship, type Table } from './model.ts'
import { nearestName } from './near-names.ts'

/** Throws PGRST205 for a table that is not exposed. */
export function findTable(catalog: Catalog, schema: string, name: string): Table {
  const table = catalog.tables.get(keyOf(schema, name))
  if (table) return table
  const names = [...catalog.tables.values()]
    .filter((known) => known.schema === schema)
    .map((known) => known.name)
  const near = nearestName(name, names)
  throw new RestError({
    status: 404,
    code: 'PGRST205',
    message: `Could not find the table '${schema}.${name}' in the schema cache`,
    hint: near && `Perhaps you meant the table '${schema}.${near}'`,
  })
}

/** The relationship of an embed; throws PGRST200 without one, PGRST201 for several. */
export function findRelationship(
  catalog: Catalog,
  origin: { schema: string; name: string },
  embed: SelectRelation,
): Relationship {
  const known = catalog.relationships.get(keyOf(origin.schema, origin.name)) ?? []
  const found = known.filter((relationship) => matches(relationship, embed.name, embed.hint))
  const [only] = found
  if (!only) throw noRelationship(origin, embed, known)
  if (found.length > 1) throw ambiguous(origin.name, embed.name, found)
  return only
}

function matches(it: Relationship, name: string, hint: string | null): boolean {
  if (it.kind === 'computed') return it.routine.name === name
  if (it.isSelf) return matchesSelf(it, name, hint)
  if (hint !== null)
    return (
      it.target.name === name &&
      (it.kind === 'key'
        ? it.constraint === hint || onlyColumns(it).includes(hint)
        : it.junction.name === hint)
    )
  if (it.target.name === name) return true
  return it.kind === 'key' && !it.targetIsView && (it.constraint === name || onlyColumns(it)[0] === name)
}

/**
 * A table with a foreign key to itself relates to itself in both directions: the column name means the
 * parent, the table's name (with the column as hint if there are several keys) the children.
 */
function matchesSelf(it: Relationship, name: string, hint: string | null): boolean {
  if (it.kind !== 'key') return false
  const [here, there] = onlyColumns(it)
  if (it.cardinality === 'one-to-many') return it.target.name === name && (hint === null || there === hint)
  return it.cardinality === 'many-to-one' && hint === null && here === name
}

/** The two columns that a key of a single column joins. */
const onlyColumns = (it: Relationship & { kind: 'key' }): string[] =>
  it.columns.length === 1 ? (it.columns[0] ?? []) : []

function noRelationship(
  origin: { schema: string; name: string },
  { name, hint }: SelectRelation,
  known: readonly Relationship[],
): RestError {
  const near = nearestName(
    name,
    known.map(({ target }) => target.name),
  )
  const using = hint === null ? '' : ` using the hint '${hint}'`
  return new RestError({
    status: 400,
    code: 'PGRST200',
    message: `Could not find a relationship between '${origin.name}' and '${name}' in the schema cache`,
    details: `Searched for a foreign key relationship between '${origin.name}' and '${name}'${using} in the schema '${origin.schema}', but no matches were found.`,
    hint: near && `Perhaps you meant '${near}' instead of '${name}'.`,
  })
}

function ambiguous(origin: string, name: string, found: readonly Relationship[]): RestError {
  return new RestError({
    status: 300,
    code: 'PGRST201',
    message: `Could not embed because more than one relationship was found for '${origin}' and '${name}'`,
    details: found.map((it) => ({
      cardinality: it.cardinality,
      embedding: `${origin} with ${it.target.name}`,
      relationship: describe(it),
    })),
    hint: `Try changing '${name}' to one of the following: ${found
      .map((it) => `'${it.target.name}!${hintOf(it)}'`)
      .join(', ')}. Find the desired relationship in the 'details' key.`,
  })
}

function describe(it: Relationship): string {
  if (it.kind === 'computed') return it.routine.name
  if (it.kind === 'junction')
    return `${it.junction.name} using ${side(it.toOrigin.constraint, it.toOrigin.columns, 0)} and ${side(it.toTarget.constraint, it.toTarget.columns, 0)}`
  return `${it.constraint} using ${side(it.origin.name, it.columns, 0)} and ${side(it.target.name, it.columns, 1)}`
}

const side = (name: string, columns: [string, string][], at: 0 | 1) =>
  `${name}(${columns.map((pair) => pair[at]).join(', ')})`

const hintOf = (it: Relationship) =>
  it.kind === 'junction' ? it.junction.name : it.kind === 'key' ? it.constraint : it.routine.name
