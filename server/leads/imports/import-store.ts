// The database's side of lists that are brought in; each rejects with a PortalError that can be shown.
import type { ListRow, RowFault } from '#domain/lead/list/fields.ts'
import type { ReadRow } from '#domain/lead/list/row.ts'
import type { Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database } from '#server/db/database.ts'

/** As portal.begin_import takes it. */
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

export type FileSheet = { name: string | null; titles: readonly string[] }
/** All cells of a line, of which sheet of the import. */
export type RawRow = { sheet: number; line: number; cells: readonly string[] }
type ToldRow = ListRow & { raw?: RawRow }

/** As portal.add_import_rows takes it: the lead, or what the file said and why it is none. */
export type StoredRow = {
  place: number
  fault: RowFault | null
  data: ReadRow['lead'] | ToldRow
}

/** `data` is null once it was let go. */
export type RefusedRow = { place: number; fault: RowFault; data: ToldRow | null }
/** As portal.refused_rows gives it. */
export type Refused = { sheets: readonly FileSheet[]; rows: readonly RefusedRow[] }
/** As portal.import_answer gives it. */
type Import = Record<string, unknown> & { state: string }

export function createImportStore(db: Database) {
  const { one } = createAsking(db)
  return {
    list: (claims: Claims) => one<Import[]>(claims, 'select portal.imports_list() as answer', []),
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
