// Compares every row that the portal reads in a test with its declared type (sql-shapes.mjs): a wrong cast fails the
// test that finds it.
import { readFileSync } from 'node:fs'
import type { Database, Query, Row } from '#server/db/database.ts'
import { HOLE, plain, type Shape } from './sql-shapes.mjs'

type Shapes = Record<string, { at: string; row: Shape }[]>

export type CheckedRows = {
  db: Database
  /** Throws the collected faults; a worker of the portal would only have logged them. */
  expectTyped: () => void
}

let read: ((sql: string) => Shapes[string]) | null = null

export function checkRows(db: Database, shapesFile: string): CheckedRows {
  const shapesFor = (read ??= reader(JSON.parse(readFileSync(shapesFile, 'utf8')).shapes))
  const faults = new Set<string>()
  const checked = (query: Query): Query => {
    return async <T extends Row>(sql: string, values?: Parameters<Query>[1]) => {
      const answer = await query<T>(sql, values)
      // A statement may be read in several places, each using its part of the row.
      for (const { at, row } of shapesFor(sql))
        for (const found of answer.rows)
          for (const fault of faultsOf(row, found, 'row')) faults.add(`${at}: ${fault}`)
      return answer
    }
  }
  return {
    db: {
      ...db,
      query: checked(db.query),
      transaction: (run, options) => db.transaction((query) => run(checked(query)), options),
    },
    expectTyped: () => {
      if (faults.size > 0)
        throw new Error(`rows are not as the server reads them:\n${[...faults].join('\n')}`)
    },
  }
}

/** Statements with a hole match any text in its place. */
function reader(shapes: Shapes) {
  const patterns = Object.entries(shapes)
    .filter(([sql]) => sql.includes(HOLE))
    .map(([sql, found]) => ({
      found,
      pattern: new RegExp(`^${sql.split(HOLE).map(escaped).join('.*')}$`, 'u'),
    }))
  const known = new Map<string, Shapes[string]>()
  return (sql: string) => {
    const seen = known.get(sql)
    if (seen) return seen
    const found =
      shapes[plain(sql)] ??
      patterns.filter(({ pattern }) => pattern.test(plain(sql))).flatMap((each) => each.found)
    known.set(sql, found)
    return found
  }
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')

/** Describes the parts of a value that its shape does not allow. */
export function faultsOf(shape: Shape, value: unknown, path: string): string[] {
  if (shape === 'any') return []
  if (typeof shape === 'string')
    return isOf(shape, value) ? [] : [`${path} is ${kindOf(value)}, not ${shape}`]
  if ('value' in shape) return value === shape.value ? [] : [`${path} is not ${JSON.stringify(shape.value)}`]
  if ('oneOf' in shape) {
    const found = shape.oneOf.map((one) => faultsOf(one, value, path))
    return found.some(({ length }) => length === 0) ? [] : [found.map((one) => one[0]).join('; ')]
  }
  if ('list' in shape)
    return Array.isArray(value)
      ? value.flatMap((one, index) => faultsOf(shape.list, one, `${path}[${index}]`))
      : [`${path} is ${kindOf(value)}, not a list`]
  if (typeof value !== 'object' || value === null) return [`${path} is ${kindOf(value)}, not an object`]
  const fields = new Map(Object.entries(value))
  return Object.entries(shape.fields).flatMap(([name, field]) =>
    faultsOf(field, fields.get(name), `${path}.${name}`),
  )
}

function isOf(kind: string, value: unknown): boolean {
  if (kind === 'bytes') return value instanceof Uint8Array
  return kind === kindOf(value)
}

const kindOf = (value: unknown) => (value === null ? 'null' : typeof value)
