// Database access for imports; every method rejects with a PortalError whose message a person may read.
import type { ListRow, RowFault } from '#domain/lead/list/fields.ts'
import type { ReadRow } from '#domain/lead/list/row.ts'
import type { Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database } from '#server/db/database.ts'

/** The argument of portal.begin_import. */
export type NewImport = {
  fileName: string
  total: number
  destination: 'broker' | 'rotation' | 'inbox'
  instanceName?: string | undefined
  roletaId?: number | undefined
  development?: string | undefined
  source: string
  sheets: readonly FileSheet[]
}

/** People of a list, each once: by number key, or by e-mail where the row has no number. */
export type People = { keys: readonly string[]; emails: readonly string[] }

export type FileSheet = { name: string | null; titles: readonly string[] }
/** All cells of a line, and the sheet of the import it belongs to. */
export type RawRow = { sheet: number; line: number; cells: readonly string[] }
type ToldRow = ListRow & { raw?: RawRow }

/** Argument of portal.add_import_rows: the lead, or the file's values and why they are refused. */
export type StoredRow = {
  place: number
  fault: RowFault | null
  data: ReadRow['lead'] | ToldRow
}

/** A refused row of an import. `data` is null after its content was deleted. */
export type RefusedRow = { place: number; fault: RowFault; data: ToldRow | null }
/** The answer of portal.refused_rows. */
export type Refused = { sheets: readonly FileSheet[]; rows: readonly RefusedRow[] }
/** The answer of portal.import_answer. */
type Import = Record<string, unknown> & { state: string }

export function createImportStore(db: Database) {
  const { one } = createAsking(db)
  return {
    list: (claims: Claims) => one<Import[]>(claims, 'select portal.imports_list() as answer', []),
    /** How many of these people are leads already. */
    countKnown: (claims: Claims, { keys, emails }: People) =>
      one<number>(claims, 'select portal.count_known_people($1, $2) as answer', [keys, emails]),
    begin: (claims: Claims, id: string, wanted: NewImport) =>
      one<Import>(claims, 'select portal.begin_import($1, $2::jsonb) as answer', [
        id,
        JSON.stringify(wanted),
      ]),
    addRows: (claims: Claims, id: string, rows: readonly StoredRow[]) =>
      one<Import>(claims, 'select portal.add_import_rows($1, $2::jsonb) as answer', [
        id,
        JSON.stringify(rows),
      ]),
    stop: (claims: Claims, id: string) =>
      one<Import>(claims, 'select portal.stop_import($1) as answer', [id]),
    undo: (claims: Claims, id: string) =>
      one<Import>(claims, 'select portal.undo_import($1) as answer', [id]),
    refused: (claims: Claims, id: string) =>
      one<Refused>(claims, 'select portal.refused_rows($1) as answer', [id]),
  }
}
