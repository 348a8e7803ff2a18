// Database access for developments: every request runs as the calling person, and rejects with a PortalError whose
// message a person may read.
import type { Development, DevelopmentFile } from '#domain/development/development.ts'
import type { MaterialRecord } from '#domain/development/material-index.ts'
import type { Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database } from '#server/db/database.ts'
import { instant } from '#server/db/instant.ts'
import type { WantedDevelopment } from './development-input.ts'

export type StoredFile = Pick<DevelopmentFile, 'kind' | 'title' | 'mimeType' | 'fileName' | 'sizeBytes'> & {
  mediaId: string
  thumbId: string | null
  wholeId: string | null
  preview: string | null
  width: number | null
  height: number | null
}
type FoundFile = { mediaId: string; mimeType: string; fileName: string; sizeBytes: number }

/** Leads of a development that 'Onde é usado' counts. */
export const LEAD_LISTS = ['open', 'waiting', 'visits', 'sent'] as const
export type LeadList = (typeof LEAD_LISTS)[number]

export function createDevelopmentStore(db: Database) {
  const { one, rows } = createAsking(db)
  return {
    list: (claims: Claims, nowMs: number) =>
      one<object[]>(claims, 'select portal.list_developments($1) as answer', [instant(nowMs)]),
    details: (claims: Claims, id: number, nowMs: number) =>
      one<Development>(claims, 'select portal.development_details($1, $2) as answer', [id, instant(nowMs)]),
    leads: (claims: Claims, asked: { id: number; list: LeadList; most: number; nowMs: number }) =>
      one<object[]>(claims, 'select portal.list_development_leads($1, $2, $3, $4) as answer', [
        asked.id,
        asked.list,
        asked.most,
        instant(asked.nowMs),
      ]),
    save: (
      claims: Claims,
      asked: {
        id: number | null
        version: number | null
        wanted: WantedDevelopment
        operationId: string
        nowMs: number
      },
    ) =>
      one<Development>(claims, 'select portal.save_development($1, $2, $3::jsonb, $4, $5) as answer', [
        asked.id,
        asked.version,
        JSON.stringify(asked.wanted),
        asked.operationId,
        instant(asked.nowMs),
      ]),
    archive: (claims: Claims, asked: { id: number; isArchived: boolean; nowMs: number }) =>
      one<Development>(claims, 'select portal.archive_development($1, $2, $3) as answer', [
        asked.id,
        asked.isArchived,
        instant(asked.nowMs),
      ]),
    unbound: (claims: Claims) =>
      one<{ text: string; leads: number }[]>(claims, 'select portal.unbound_developments() as answer', []),
    bind: (claims: Claims, text: string, id: number) =>
      one<{ id: number }>(claims, 'select portal.bind_development($1, $2) as answer', [text, id]),
    room: (claims: Claims, id: number) =>
      one<{ files: number; bytes: number }>(claims, 'select portal.development_room($1) as answer', [id]),
    addFile: (claims: Claims, asked: { id: number; file: StoredFile; maxFiles: number; maxBytes: number }) =>
      one<DevelopmentFile>(claims, 'select portal.add_development_media($1, $2::jsonb, $3, $4) as answer', [
        asked.id,
        JSON.stringify(asked.file),
        asked.maxFiles,
        asked.maxBytes,
      ]),
    /** Lists what brokers can send. `developments` is left out if the caller's copy, named by its stamp, is current. */
    material: (claims: Claims, known: string | null) =>
      one<{ stamp: string; developments?: MaterialRecord[] }>(
        claims,
        'select portal.material_index($1) as answer',
        [known],
      ),
    /** Files that the caller may read, by id; others are left out. */
    files: async (claims: Claims, ids: readonly number[], isSmall: boolean) => {
      const found = await rows<{ id: number; answer: FoundFile | null }>(
        claims,
        'select f.id, portal.development_file(f.id, $2) as answer from unnest($1::integer[]) as f (id)',
        [ids.map(String), isSmall],
      )
      return found.flatMap(({ id, answer }) => (answer === null ? [] : [{ id, ...answer }]))
    },
  }
}
