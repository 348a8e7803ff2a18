// What the portal is made of; tests hand in their own.
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import type { Settings } from '#server/env.ts'
import type { Log } from '#server/log.ts'

export type Parts = {
  db: Database
  clock: Clock
  log: Log
  settings: Settings
}
