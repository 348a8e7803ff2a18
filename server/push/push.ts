// Composes web push: the routes of devices, and the worker.
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'
import { createDeviceStore } from './device-store.ts'
import { createPost } from './post.ts'
import { ensureKeys } from './push-keys.ts'
import { createPushRoutes } from './push-routes.ts'
import { createPushQueue, type PushCounts } from './push-queue.ts'
import { createPushWorker } from './push-worker.ts'
import { sendPush } from './send.ts'

type PushOptions = {
  db: Database
  clock: Clock
  log: Log
  /** Encrypts the key that signs pushes. */
  jwtSecret: string
  vapidSubject: string | undefined
  publicUrl: string | undefined
  /** The portal's public address. */
  address: () => string
  /** Push services on this machine are allowed, for the demonstration and tests. */
  allowsLoopback: boolean
  memberOf: Parameters<typeof createPushRoutes>[0]['memberOf']
}

export type Push = {
  /** Serves /api/push. */
  routes: ReturnType<typeof createPushRoutes>
  /** What a browser needs to subscribe. */
  publicKey: string
  counts: () => Promise<PushCounts>
  /** Starts the worker; the returned function stops it. */
  start: () => () => Promise<void>
}

export async function createPush(options: PushOptions): Promise<Push> {
  const { db, clock, log, address, allowsLoopback, memberOf } = options
  const keys = await ensureKeys(options)
  const queue = createPushQueue(db)
  const { post, close } = createPost(clock, allowsLoopback)
  const worker = createPushWorker({
    db,
    clock,
    log,
    queue,
    send: (push) => sendPush({ post, keys, clock, address }, push),
  })
  return {
    routes: createPushRoutes({ store: createDeviceStore(db), clock, allowsLoopback, memberOf }),
    publicKey: keys.publicKey,
    counts: queue.counts,
    start: () => {
      const stop = worker.start()
      return async () => {
        await stop()
        close()
      }
    },
  }
}
