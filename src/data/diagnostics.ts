// The probes of /test-supabase. Spec 2.1, 7.1; PRODUCT.md 3.
import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { log } from '#api/log.ts'
import { PortalError } from '#domain/errors.ts'
import { keys } from './keys.ts'

const Health = v.object({
  status: v.picklist(['ok', 'degraded']),
  database: v.picklist(['ok', 'down']),
  gateway: v.string(),
  webhook: v.optional(v.object({ waiting: v.number(), setAside: v.number() })),
  version: v.string(),
})

export type Health = v.InferOutput<typeof Health>

export function healthQuery() {
  return queryOptions({
    queryKey: keys.health(),
    queryFn: ({ signal }) => getHealth(signal),
    retry: false,
    gcTime: 0,
  })
}

/** A degraded portal answers 503 and still says what is wrong. */
async function getHealth(signal: AbortSignal): Promise<Health> {
  try {
    return v.parse(Health, await portal('/api/health', { signal }))
  } catch (error) {
    const told = v.safeParse(Health, error instanceof PortalError ? error.cause : null)
    if (told.success) return told.output
    throw error
  }
}

/** What the app wrote down since it was opened, newest first. */
export function recentLog() {
  return log.recent()
}
