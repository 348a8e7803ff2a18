// The REST API for one person over a database, without a portal.
import { systemClock } from '#server/clock.ts'
import type { Claims } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import { createLog } from '#server/log.ts'
import { createWire } from '#server/rest/wire.ts'

export const openWireOf = (db: Database, claims: Claims) =>
  createWire({
    db,
    clock: systemClock,
    log: createLog('error'),
    principalOf: () => Promise.resolve({ role: claims.role, claims }),
    settings: { supabase: undefined, restSchemas: ['public'], restTxRollback: false },
    version: '1',
  })
