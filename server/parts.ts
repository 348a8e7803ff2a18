// The parts that every module gets; tests pass their own.
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'
import type { Gateway } from '#server/gateway.ts'
import type { Settings } from '#server/settings.ts'
import type { MediaStore } from '#server/storage/media-store.ts'

export type Parts = {
  db: Database
  /** A read replica of `db`, for reads that may be some seconds old. */
  replica?: Database | undefined
  clock: Clock
  log: Log
  settings: Settings
  storage: MediaStore
  /** The gateway. Null: the portal answers 'WhatsApp não configurado'. */
  gateway: Gateway | null
}
