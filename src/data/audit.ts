// The audit log: its entries page by page, the accounts in it, and its export.
import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal, portalFile, rpc } from '#api/client.ts'
import type { AuditEntry } from '#domain/audit.ts'
import type { ExportKind } from '#domain/audit-words.ts'
import { keys } from './keys.ts'

/**
 * `actor` is an account id, or a role for entries without account. Days are 'YYYY-MM-DD'. Undefined fields do not
 * filter.
 */
export type AuditFilter = {
  who?: string | undefined
  what?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

const ROLES = ['admin', 'broker', 'gerente', 'service', 'system', 'stranger'] as const

const Page = v.object({
  entries: v.array(
    v.object({
      id: v.number(),
      atMs: v.number(),
      actor: v.nullable(v.string()),
      actorRole: v.picklist(ROLES),
      action: v.string(),
      subject: v.nullable(v.string()),
      details: v.record(v.string(), v.unknown()),
    }),
  ),
  next: v.nullable(v.number()),
})

const search = (filter: AuditFilter, before: number | null) => {
  const given = Object.entries({ ...filter, before: before?.toString() }).filter(([, value]) => value)
  return new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, value ?? '']))).toString()
}

/** No live event reports other users' actions, so an open page polls. */
const NEWS_EVERY_MS = 60_000

/** Reads the entries of the audit log, the newest first. */
export function auditQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: keys.audit(filter),
    queryFn: async ({
      pageParam,
      signal,
    }): Promise<{ entries: readonly AuditEntry[]; next: number | null }> =>
      v.parse(Page, await portal(`/api/audit?${search(filter, pageParam)}`, { signal })),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: NEWS_EVERY_MS,
  })
}

const Actors = v.array(v.object({ id: v.string(), name: v.string(), role: v.picklist(ROLES) }))

/** Reads all accounts that did something, deleted ones included. */
export function auditActorsQuery() {
  return queryOptions({
    queryKey: keys.auditActors(),
    queryFn: async ({ signal }) => v.parse(Actors, await portal('/api/audit/actors', { signal })),
  })
}

/** Downloads all entries of the filter as a file for Excel. Throws PortalError `audit.too-long`. */
export function exportAudit() {
  return mutationOptions({
    mutationFn: (filter: AuditFilter) =>
      portalFile(`/api/audit/export?${search(filter, null)}`, { method: 'POST' }),
  })
}

/** Records in the audit log that the page exports rows to a file. If this fails, the page must make no file. */
export async function noteExport(what: ExportKind, count: number): Promise<void> {
  await rpc('note_export', { p_what: what, p_rows: count })
}
