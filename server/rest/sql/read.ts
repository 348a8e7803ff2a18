// Reading a table or view.
import type { Table } from '../catalog/model.ts'
import type { Level } from '../parse/select.ts'
import { answerSql, tableAs, totalSql, type BodyForm } from './answer.ts'
import { buildLevel, levelSql, whereSql, type BuiltLevel } from './level.ts'
import { quoteName, type Scope } from './statement.ts'

export type Reading = {
  level: Level
  isCounted: boolean
  body: BodyForm
  /** A condition that holds for every readable row, as a hint for the planner (routes.ts). */
  known: string | null
}

export function readSql(scope: Scope, table: Table, reading: Reading): string {
  const source = { alias: quoteName(table.name), name: table.name, table }
  const built = buildLevel(scope, source, reading.level)
  if (reading.known !== null) built.where.push(reading.known)
  const from = tableAs(table)
  return answerSql({
    source: null,
    page: levelSql(built, from),
    body: reading.body,
    extras: reading.isCounted ? [countSql(scope, reading.level, { built, from })] : [],
  })
}

/** The total_count of a level, without LIMIT and OFFSET. */
export function countSql(
  scope: Scope,
  level: Level,
  { built, from }: { built: BuiltLevel; from: string },
): string {
  const maxRows = scope.maxRows === null ? null : BigInt(scope.maxRows)
  const limit = level.limit === null ? null : BigInt(level.limit)
  const effective = limit === null || (maxRows !== null && limit > maxRows) ? maxRows : limit
  return totalSql({
    sql: `select count(*) from ${from}${whereSql(built.where)}`,
    limit: effective ?? MAX_BIGINT,
    offset: BigInt(level.offset ?? '0'),
    isGrouped: built.outputs.some(({ kind }) => kind === 'aggregate'),
  })
}

const MAX_BIGINT = 9_223_372_036_854_775_807n
