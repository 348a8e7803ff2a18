// One table of the request as SQL: its columns, its embedded relations, its rows and their order.
import { findRelationship } from '../catalog/find-table.ts'
import { isToOne } from '../catalog/model.ts'
import { notEmbedded, notImplemented, orderNotToOne, repeatedEmbed } from '../errors.ts'
import type { Field } from '../parse/names.ts'
import type { OrderTerm } from '../parse/order.ts'
import type { Level, SelectField, SelectRelation } from '../parse/select.ts'
import { conditionSql } from './conditions.ts'
import { castSql, fieldName, fieldSql } from './fields.ts'
import { joinSql } from './joins.ts'
import { groupBy, selectList, type Output } from './outputs.ts'
import { embedReach, rootReach } from './reach.ts'
import { quoteName, type Reach, type Scope, type Source } from './statement.ts'
import { weighed } from './weight.ts'

/** The parts of a SELECT over one source. */
export type BuiltLevel = {
  outputs: Output[]
  /** Left joins that do not change the number of rows. */
  joins: string[]
  where: string[]
  orderBy: string
  /** LIMIT and OFFSET, which a count leaves out. */
  slice: string
}

type Relation = {
  isToOne: boolean
  /** `exists (…)`: true if the embed has rows. */
  exists: string
  /** A field of the to-one related row, for ordering. */
  orderField: (field: Field) => string
}

/** A level while it is built. */
type Building = {
  scope: Scope
  source: Source
  built: BuiltLevel
  relations: Map<string, Relation>
  reach: Reach
}

export function buildLevel(scope: Scope, source: Source, level: Level): BuiltLevel {
  const built: BuiltLevel = { outputs: [], joins: [], where: [], orderBy: '', slice: sliceSql(scope, level) }
  const reach = source.reach ?? rootReach(scope, source, level)
  const building: Building = { scope, source, built, relations: new Map(), reach }
  for (const item of level.items)
    if (item.kind === 'field') addField(building, item)
    else addRelation(building, item)
  const embeds = new Map([...building.relations].map(([name, { exists }]) => [name, exists]))
  const place = { statement: scope.statement, source, embeds }
  built.where.push(...level.conditions.map((tree) => conditionSql(place, tree)))
  const terms = level.order.map((term) => orderSql(building, term))
  if (terms.length > 0) built.orderBy = ` order by ${terms.join(', ')}`
  return built
}

/** The whole SELECT. */
export const levelSql = (built: BuiltLevel, from: string, where: readonly string[] = built.where) =>
  `select ${selectList(built.outputs)} from ${from}${built.joins.join('')}${whereSql(where)}` +
  `${groupBy(built.outputs)}${built.orderBy}${built.slice}`

export const whereSql = (conditions: readonly string[]) =>
  conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`

/**
 * LIMIT is written into the statement: with a parameter, Postgres assumes a tenth of all rows for the plan that serves
 * all calls, rejects that plan, and plans every call anew. The parser lets only digits through.
 */
function sliceSql({ statement, maxRows }: Scope, { limit, offset }: Level): string {
  const isOver = maxRows !== null && (limit === null || BigInt(limit) > BigInt(maxRows))
  const rows = isOver ? String(maxRows) : limit
  return (
    (rows === null ? '' : ` limit '${rows}'::bigint`) +
    (offset === null || offset === '0' ? '' : ` offset ${statement.bind(offset)}::bigint`)
  )
}

function addField({ scope, source, built }: Building, item: SelectField): void {
  const isOld = isOldCount(source, item)
  const aggregate = isOld ? 'count' : item.aggregate
  const isRow = isOld || item.field.name === '*'
  if (isRow && aggregate === null) return void built.outputs.push(...allColumns(source))
  const value = isRow ? null : castSql(fieldSql(scope.statement, source, item.field), item.cast)
  const name = item.alias ?? aggregate ?? fieldName(item.field)
  if (aggregate === null) return void built.outputs.push({ name, sql: value ?? '', kind: 'value' })
  const pending = { aggregate, cast: item.aggregateCast }
  if (source.isSpread) built.outputs.push({ name, sql: value ?? '1', kind: 'pending', pending })
  else built.outputs.push({ name, sql: aggregateSql(pending, value ?? '*'), kind: 'aggregate' })
}

/** Older clients write `tasks(count)` to count rows, as `select=count` did before `count()` existed. */
const isOldCount = ({ table }: Source, { field, cast }: SelectField) =>
  field.name === 'count' && field.path.length === 0 && cast === null && table?.columns.has('count') === false

function allColumns(source: Source): Output[] {
  if (!source.table) return [{ name: null, sql: `${source.alias}.*`, kind: 'value' }]
  return [...source.table.columns.keys()].map((name) => {
    source.reads?.add(name)
    return { name, sql: `${source.alias}.${quoteName(name)}`, kind: 'value' }
  })
}

const aggregateSql = ({ aggregate, cast }: { aggregate: string; cast: string | null }, argument: string) =>
  castSql(`${aggregate}(${argument})`, cast)

function addRelation(building: Building, item: SelectRelation): void {
  const { scope, source, built } = building
  const name = item.alias ?? item.name
  const origin = originOf(scope, source)
  const depth = (source.depth ?? 0) + 1
  const relationship = findRelationship(scope.catalog, origin, item)
  if (building.relations.has(name)) throw repeatedEmbed(origin.name, name, depth)
  const child: Source = {
    alias: scope.statement.alias(relationship.target.name),
    name: relationship.target.name,
    table: relationship.target,
    isSpread: item.isSpread,
    depth,
    reach: embedReach(scope, building.reach, { relationship, level: item.level }),
  }
  const join = joinSql(scope.statement, relationship, { parent: source, child: child.alias })
  const inner = buildLevel(scope, child, item.level)
  const where = [...join.conditions, ...inner.where]
  const rows = `from ${join.from}${whereSql(where)}`
  const exists = `exists (select ${rows}${isSliced(item.level) ? inner.slice : ''})`
  const isOne = isToOne(relationship)
  const spreadColumns = new Map<string, string>()
  const orderField = (field: Field) => {
    const sql = fieldSql(scope.statement, child, field)
    return spreadColumns.get(sql) ?? `(select ${sql} ${rows} limit 1)`
  }
  building.relations.set(name, { isToOne: isOne, exists, orderField })
  if (item.isInner) built.where.push(exists)
  if (inner.outputs.length === 0) return
  const parts = { inner, from: join.from, where, isToOne: isOne }
  if (item.isSpread) for (const [sql, column] of spread(building, parts)) spreadColumns.set(sql, column)
  else built.outputs.push({ name, sql: embedSql(levelSql(inner, join.from, where), isOne), kind: 'json' })
}

const originOf = ({ schema }: Scope, { name, table }: Source) => table ?? { schema, name }

const isSliced = ({ limit, offset }: Level) => limit !== null || offset !== null

const embedSql = (rows: string, isOne: boolean) =>
  isOne
    ? `(select row_to_json("pgrst_row") from (${rows}) as "pgrst_row" limit 1)`
    : weighed(`coalesce((select json_agg("pgrst_row") from (${rows}) as "pgrst_row"), '[]')`)

type SpreadParts = { inner: BuiltLevel; from: string; where: string[]; isToOne: boolean }

/**
 * The related row's columns as columns of this one; for a to-many relation an array of each column. Returns
 * the old and new name of each, because grouped rows may be ordered only by these.
 */
function spread({ scope, source, built }: Building, parts: SpreadParts): [below: string, here: string][] {
  const alias = scope.statement.alias('spread')
  const renamed = parts.inner.outputs.map((output, at) => ({ ...output, name: `c${at + 1}` }))
  const rows = levelSql({ ...parts.inner, outputs: renamed }, parts.from, parts.where)
  const lists = renamed.map(({ name }) => `json_agg("pgrst_row"."${name}") as "${name}"`).join(', ')
  const sub = `(${rows}) as "pgrst_row"`
  built.joins.push(
    ` left join lateral (select ${parts.isToOne ? `* from ${sub} limit 1` : `${lists} from ${sub}`}) as ${alias} on true`,
  )
  return parts.inner.outputs.map((output, at) => {
    const column = `${alias}."c${at + 1}"`
    if (output.kind === 'pending' && !parts.isToOne)
      throw notImplemented('Aggregates are not implemented for one-to-many or many-to-many spreads.')
    if (!parts.isToOne) built.outputs.push({ ...output, sql: `coalesce(${column}, '[]')`, kind: 'json' })
    else if (output.kind !== 'pending' || source.isSpread) built.outputs.push({ ...output, sql: column })
    else
      built.outputs.push({ name: output.name, sql: aggregateSql(output.pending, column), kind: 'aggregate' })
    return [output.sql, column]
  })
}

function orderSql({ scope, source, relations }: Building, term: OrderTerm): string {
  const suffix = [term.direction, term.nulls].filter((word) => word !== null).map((word) => ` ${word}`)
  if (term.relation === null) return fieldSql(scope.statement, source, term.field) + suffix.join('')
  const relation = relations.get(term.relation)
  if (!relation) throw notEmbedded(term.relation)
  if (!relation.isToOne) throw orderNotToOne(source.name, term.relation)
  return relation.orderField(term.field) + suffix.join('')
}
