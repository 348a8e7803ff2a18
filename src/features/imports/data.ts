// Reads imported lists and their progress; starts, stops and undoes an import.
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal, portalFile } from '#api/client.ts'
import { keys } from '#data/keys.ts'
import type { People, Plan } from './list-protocol.ts'
import type { ListReader } from './list-reader.ts'
import { send, type Sending } from './sending-data.ts'

const timeMs = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
)
const ImportRow = v.pipe(
  v.object({
    id: v.string(),
    fileName: v.string(),
    destination: v.picklist(['broker', 'rotation', 'inbox']),
    instanceName: v.nullable(v.string()),
    rotation: v.nullable(v.string()),
    state: v.picklist(['receiving', 'running', 'finished', 'stopped', 'undoing', 'undone']),
    reason: v.nullable(v.picklist(['person', 'no-owner'])),
    total: v.number(),
    received: v.number(),
    added: v.number(),
    known: v.number(),
    refused: v.number(),
    undone: v.number(),
    leftIn: v.number(),
    createdAt: timeMs,
    endedAt: v.nullable(timeMs),
  }),
  v.transform(({ createdAt, endedAt, ...row }) => ({ ...row, createdAtMs: createdAt, endedAtMs: endedAt })),
)
export type Import = v.InferOutput<typeof ImportRow>
const Known = v.object({ known: v.number() })
const ImportRows = v.object({ imports: v.array(ImportRow) })

const NEWS_EVERY_MS = 2_000
const QUIET_EVERY_MS = 30_000
const isUnderWay = ({ state }: Import) => ['receiving', 'running', 'undoing'].includes(state)

export function importsQuery() {
  return queryOptions({
    queryKey: keys.imports(),
    queryFn: async ({ signal }): Promise<readonly Import[]> =>
      v.parse(ImportRows, await portal('/api/imports', { signal })).imports,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? NEWS_EVERY_MS : QUIET_EVERY_MS),
  })
}

export type Destination =
  | { destination: 'broker'; instanceName: string }
  | { destination: 'rotation'; roletaId: number }
  | { destination: 'inbox' }

export type NewImport = {
  /** The device chooses the id. It sends lost parts again under the same id. */
  id: string
  fileName: string
  total: number
  destination: Destination
  development: string
  /** The plan's sheets, in order of the file. */
  sheets: readonly { name: string | null; titles: readonly string[] }[]
  reader: ListReader
  plan: Plan
}

const MAX_TITLES = 500
const MAX_TITLE = 200

/** Sends the rows; the portal then imports them in the background. Throws PortalError, mainly `import.too-many`. */
export function bringIn() {
  return mutationOptions({
    mutationFn: async (wanted: NewImport, { client }) => {
      const { id, fileName, total, destination, development, reader, plan } = wanted
      const named = development.trim() === '' ? {} : { development: development.trim() }
      const sheets = wanted.sheets.map(({ name, titles }) => ({
        name: name?.slice(0, MAX_TITLE) ?? null,
        titles: titles.slice(0, MAX_TITLES).map((title) => title.slice(0, MAX_TITLE)),
      }))
      try {
        const parts = await partsOf(reader, plan)
        await send({ id, begin: { fileName, total, sheets, ...destination, ...named }, parts })
      } finally {
        await readAgain(client)
      }
    },
  })
}

const PEOPLE_AT_ONCE = 5_000

/** Answers how many of these people are leads already. */
export async function countKnown({ keys, emails }: People, signal: AbortSignal): Promise<number> {
  let known = 0
  for (let from = 0; from < Math.max(keys.length, emails.length); from += PEOPLE_AT_ONCE) {
    const part = (all: readonly string[]) => all.slice(from, from + PEOPLE_AT_ONCE)
    const body = { keys: part(keys), emails: part(emails) }
    const answer = await portal('/api/imports/known', { method: 'POST', body, signal })
    known += v.parse(Known, answer).known
  }
  return known
}

/** Reads all parts from the worker. `hold` keeps the worker alive even if the dialog is closed meanwhile. */
async function partsOf(reader: ListReader, plan: Plan): Promise<Sending['parts']> {
  const release = reader.hold()
  try {
    const parts: Sending['parts'][number][] = []
    for (let from: number | null = 0; from !== null;) {
      const { rows, raw, refused, next } = await reader.rows(plan, from)
      parts.push({ body: JSON.stringify({ rows, raw, refused }), rows: rows.length })
      from = next
    }
    return parts
  } finally {
    release()
  }
}

/** Stops an import. Imported leads stay. An import whose rows were not all uploaded is deleted. */
export function stopImport(id: string) {
  return mutationOptions({
    mutationFn: async (_: null, { client }) => {
      await portal(`/api/imports/${id}/stop`, { method: 'POST', body: {} })
      await readAgain(client)
    },
  })
}

/** Throws PortalError `import.too-late`. */
export function undoImport(id: string) {
  return mutationOptions({
    mutationFn: async (_: null, { client }) => {
      await portal(`/api/imports/${id}/undo`, { method: 'POST', body: {} })
      await readAgain(client)
    },
  })
}

/**
 * Downloads the refused rows as a CSV file with semicolons, to be corrected and imported again. The audit log records
 * the download.
 */
export function refusedRows(id: string) {
  return mutationOptions({
    mutationFn: () => portalFile(`/api/imports/${id}/refused`, { method: 'POST', body: {} }),
  })
}

const readAgain = (client: QueryClient) => client.invalidateQueries({ queryKey: keys.imports() })
