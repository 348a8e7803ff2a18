// Composes webhooks to other systems: their addresses, and the delivery worker.
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'
import { createSecretBox } from '#server/secret-box.ts'
import { createDeliveryWorker } from './delivery-worker.ts'
import { createHookRoutes } from './hook-routes.ts'
import { createPost } from './post.ts'

type EventsOptions = {
  db: Database
  clock: Clock
  log: Log
  /** Encrypts the signing secrets. */
  jwtSecret: string
  /** Hosts that may be in a private network and without TLS. */
  privateHosts: readonly string[]
  version: string
  memberOf: Parameters<typeof createHookRoutes>[0]['memberOf']
}

export function createEvents({ db, clock, log, jwtSecret, privateHosts, version, memberOf }: EventsOptions) {
  const box = createSecretBox(jwtSecret, 'secrets of webhooks')
  const encrypt = (secret: string) => Buffer.from(box.encrypt(Buffer.from(secret))).toString('base64url')
  const decrypt = (encrypted: string) => {
    const opened = box.decrypt(Buffer.from(encrypted, 'base64url'))
    return opened === null ? null : Buffer.from(opened).toString()
  }
  const post = createPost({ clock, privateHosts, version })
  return {
    /** Routes for /api/webhooks. */
    routes: createHookRoutes({
      clock,
      db,
      post,
      privateHosts,
      encrypt,
      decrypt,
      memberOf,
    }),
    /** Starts the worker; the returned function stops it. */
    start: () => createDeliveryWorker({ db, clock, log, post, decrypt }).start(),
  }
}
