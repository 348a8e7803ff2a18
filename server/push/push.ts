// Web push put together: the routes of its devices, and the worker that tells them.
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
  /** Seals the key that signs pushes. */
  jwtSecret: string
  vapidSubject: string | undefined
  publicUrl: string | undefined
  /** The portal's, as devices know it. */
  address: () => string
  /** Push services of this machine are allowed too: a demonstration, which only this machine reaches, and tests. */
  allowsLoopback: boolean
  memberOf: Parameters<typeof createPushRoutes>[0]['memberOf']
}

export type Push = {
  /** For /api/push. */
  routes: ReturnType<typeof createPushRoutes>
  /** What a browser needs to subscribe. */
  publicKey: string
  counts: () => Promise<PushCounts>
  /** Starts the worker; the answer stops it. */
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
