// Composes the developments module: the record, its files, and their addresses.
import type { Hono } from 'hono'
import type { Parts } from '#server/parts.ts'
import { createDevelopmentRoutes, type DevelopmentRouteParts } from './development-routes.ts'
import { createDevelopmentStore } from './development-store.ts'

export type Developments = {
  /** For /api/developments. */
  routes: Hono
}

export function createDevelopments(
  parts: Parts,
  options: Pick<DevelopmentRouteParts, 'memberOf' | 'rateLimit' | 'linkOf'>,
): Developments {
  return {
    routes: createDevelopmentRoutes({ ...parts, ...options, store: createDevelopmentStore(parts.db) }),
  }
}
