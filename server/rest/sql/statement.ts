// A statement under construction: its bound values and its aliases; and how names are quoted.
import type { SqlValue } from '#server/db/database.ts'
import type { Catalog, Table } from '../catalog/model.ts'
import { nulCharacter } from '../errors.ts'

export type FinishedStatement = { sql: string; values: SqlValue[] }

/**
 * Hands out marks for values and puts `$1`, `$2` … in their places at the end, so that a part of the text that is not
 * used leaves no value behind. A mark stands between two NUL characters, which no name or value may contain.
 */
export class Statement {
  readonly #values: SqlValue[] = []
  readonly #keys = new Map<string, string>()
  #aliasCount = 0

  /** The mark of a value; Postgres takes its type from where it stands. */
  bind(value: SqlValue): string {
    return `\0${this.#values.push(value) - 1}\0`
  }

  /** The mark of a text, the same one each time, so that equal expressions are equal for GROUP BY. */
  bindKey(key: string): string {
    const known = this.#keys.get(key)
    if (known !== undefined) return known
    const mark = this.bind(key)
    this.#keys.set(key, mark)
    return mark
  }

  /** A quoted alias used nowhere else, recognisable in Postgres's error texts and within its 63 bytes. */
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

/** What SQL is made from: the request's schema, what is known of the database, the statement and the row limit. */
export type Scope = { catalog: Catalog; schema: string; statement: Statement; maxRows: number | null }

/** How many rows a level can stand for (reach.ts). */
export type Reach = {
  /** Rows at the most, each as often as it stands in the answer. */
  rows: number
  /** Whether one row may stand below several parents, so that what it embeds is read once for each of them. */
  isShared: boolean
}

/** A relation in FROM, under a quoted alias. */
export type Source = {
  alias: string
  /** How the request calls it. */
  name: string
  table: Table | null
  /** Its columns become its parent's, which makes the aggregates over them. */
  isSpread?: boolean
  /** How many embeds lead to it; none for the request's own. */
  depth?: number
  /** How many rows it can stand for; the request's own relation has none yet. */
  reach?: Reach
  /** Collects the columns read of it, for what a write has to return. */
  reads?: Set<string>
}

export function quoteName(name: string): string {
  if (name.includes('\0')) throw nulCharacter()
  return `"${name.replaceAll('"', '""')}"`
}

export const qualified = ({ schema, name }: { schema: string; name: string }) =>
  `${quoteName(schema)}.${quoteName(name)}`

/** An array as Postgres writes it, to be bound as one value of yet unknown type. */
export const arrayLiteral = (items: readonly string[]) =>
  `{${items.map((item) => `"${item.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`
