// A statement under construction: bound values and aliases; and the quoting of names.
import type { SqlValue } from '#server/db/database.ts'
import type { Catalog, Table } from '../catalog/model.ts'
import { nulCharacter } from '../errors.ts'

export type FinishedStatement = { sql: string; values: SqlValue[] }

/**
 * Returns markers for values, and replaces them by `$1`, `$2` … at the end, so that unused text leaves no
 * value behind. A marker is enclosed in NUL characters, which names and values cannot contain.
 */
export class Statement {
  readonly #values: SqlValue[] = []
  readonly #keys = new Map<string, string>()
  #aliasCount = 0

  /** The marker of a value; Postgres infers its type from the context. */
  bind(value: SqlValue): string {
    return `\0${this.#values.push(value) - 1}\0`
  }

  /** The marker of a text, the same each time, so that GROUP BY recognises equal expressions. */
  bindKey(key: string): string {
    const known = this.#keys.get(key)
    if (known !== undefined) return known
    const mark = this.bind(key)
    this.#keys.set(key, mark)
    return mark
  }

  /** A unique quoted alias, readable in error messages and within Postgres' 63 bytes. */
  alias(name: string): string {
    return quoteName(`${name.slice(0, ALIAS_LENGTH)}_${++this.#aliasCount}`)
  }

  finish(marked: string): FinishedStatement {
    const values: SqlValue[] = []
    const places = new Map<number, number>()
    const sql = marked.split('\0').map((piece, at) => {
      if (at % 2 === 0) return piece
      const index = Number(piece)
      const place = places.get(index) ?? values.push(this.#values[index] ?? null)
      places.set(index, place)
      return `$${place}`
    })
    return { sql: sql.join(''), values }
  }
}

const ALIAS_LENGTH = 18

/** Context of SQL generation: the request's schema, the catalog, the statement and the row limit. */
export type Scope = { catalog: Catalog; schema: string; statement: Statement; maxRows: number | null }

/** An upper bound of the rows of a level (reach.ts). */
export type Reach = {
  /** Maximum rows, counted as often as they occur in the answer. */
  rows: number
  /** Whether one row may occur below several parents, so that its embeds are read for each of them. */
  isShared: boolean
}

/** A relation in FROM, under a quoted alias. */
export type Source = {
  alias: string
  /** The name that the request uses for it. */
  name: string
  table: Table | null
  /** The relation's columns become the parent's, which computes the aggregates over them. */
  isSpread?: boolean
  /** Number of embeds that lead to it; absent for the request's own relation. */
  depth?: number
  /** The relation's maximum rows; absent for the request's own relation until it is computed. */
  reach?: Reach
  /** Collects the columns that a write has to return. */
  reads?: Set<string>
}

export function quoteName(name: string): string {
  if (name.includes('\0')) throw nulCharacter()
  return `"${name.replaceAll('"', '""')}"`
}

export const qualified = ({ schema, name }: { schema: string; name: string }) =>
  `${quoteName(schema)}.${quoteName(name)}`

/** A Postgres array literal, bound as one value of a type still unknown. */
export const arrayLiteral = (items: readonly string[]) =>
  `{${items.map((item) => `"${item.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`
