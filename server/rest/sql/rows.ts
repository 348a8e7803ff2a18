// The basis of every write: the table, and the JSON body as rows of typed columns.
import type { Column, Table } from '../catalog/model.ts'
import { unknownColumn } from '../errors.ts'
import type { Query } from '../parse/query.ts'
import type { JsonBody } from '../request/body.ts'
import type { Preferences } from '../request/preferences.ts'
import { quoteName, type Scope, type Source } from './statement.ts'

/** The table that is written to; `returning` is the RETURNING list. */
export type Mutation = { scope: Scope; source: Source; table: Table; returning: string }

/** Input of an insert or update. `role`: whose permissions decide which columns are only compared. */
export type Change = { query: Query; body: JsonBody; preferences: Preferences; role: string }

/** The name of a body's row in FROM. */
export const BODY = '"pgrst_body"'

/** The columns named so; throws PGRST204 for an unknown one. */
export const toColumns = (table: Table, names: readonly string[]): Column[] =>
  names.map((name) => {
    const column = table.columns.get(name)
    if (!column) throw unknownColumn(table.name, name)
    return column
  })

/** `("a" integer, "b" text)`, for json_to_record. */
export const definitions = (columns: readonly { name: string; type: string }[]) =>
  `(${columns.map(({ name, type }) => `${quoteName(name)} ${type}`).join(', ')})`

/** The body always as an array. */
export const asArray = ({ text, isArray }: JsonBody) => (isArray ? text : `[${text}]`)
