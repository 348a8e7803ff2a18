// The address of the WhatsApp service as an administrator entered it, its key encrypted in the database; the
// environment takes precedence.
import * as v from 'valibot'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createSecretBox } from '#server/secret-box.ts'

/** Another portal over the same database may have changed it. */
const LOOK_EVERY_MS = 30_000

const Kept = v.object({ url: v.string(), sealed: v.string() })
type Kept = v.InferOutput<typeof Kept>

export type StoredGateway = ReturnType<typeof createStoredGateway>

export function createStoredGateway(parts: { db: Database; clock: Clock; log: Log }, jwtSecret: string) {
  const { db, clock, log } = parts
  const box = createSecretBox(jwtSecret, 'gateway')

  async function find(): Promise<Kept | null> {
    const { rows } = await db.query<{ value: unknown }>(
      `select value from portal.settings where key = 'gateway'`,
    )
    const stored = v.safeParse(Kept, rows[0]?.value)
    return stored.success ? stored.output : null
  }

  return {
    encrypt: (apiKey: string) => Buffer.from(box.encrypt(Buffer.from(apiKey))).toString('base64'),
    /** Null without one, or if the key cannot be decrypted with this portal's secret. */
    read: async (): Promise<{ baseUrl: string; apiKey: string; sealed: string } | null> => {
      const stored = await find()
      const key = stored && box.decrypt(Buffer.from(stored.sealed, 'base64'))
      return key && { baseUrl: stored.url, apiKey: Buffer.from(key).toString(), sealed: stored.sealed }
    },
    /** Calls `onChanged` once when another address is stored than the opened one. */
    watch: (opened: string | null, onChanged: () => void): (() => void) => {
      const stop = clock.every(LOOK_EVERY_MS, () => {
        find()
          .then((stored) => {
            if ((stored?.sealed ?? null) === opened) return
            stop()
            onChanged()
          })
          .catch((error: unknown) => log.debug('gateway.not-looked-up', errorFields(error)))
      })
      return stop
    },
  }
}
