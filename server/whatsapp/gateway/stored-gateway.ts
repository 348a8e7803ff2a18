// The gateways' addresses that an administrator entered. Their keys are encrypted in the database. Settings of the
// environment take precedence.
import * as v from 'valibot'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import type { GatewayKind } from '#server/gateway.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createSecretBox } from '#server/secret-box.ts'

/** Another portal that shares the database may have changed an address. */
const LOOK_EVERY_MS = 30_000

const Kept = v.object({ url: v.string(), sealed: v.string() })

export type StoredGateways = ReturnType<typeof createStoredGateways>

export function createStoredGateways(parts: { db: Database; clock: Clock; log: Log }, jwtSecret: string) {
  const { db, clock, log } = parts
  const box = createSecretBox(jwtSecret, 'gateway')

  async function find() {
    const { rows } = await db.query<{ kind: string; value: unknown }>(
      'select * from portal.stored_gateways()',
    )
    return { rows, mark: JSON.stringify(rows) }
  }

  return {
    encrypt: (apiKey: string) => Buffer.from(box.encrypt(Buffer.from(apiKey))).toString('base64'),
    /**
     * `addresses`: by kind, without those whose key this portal's secret cannot decrypt. `newKind`: the gateway for new
     * instances. `mark` changes with any of the stored values.
     */
    read: async () => {
      const { rows, mark } = await find()
      const addresses = new Map<GatewayKind, { url: string; apiKey: string }>()
      for (const { kind, value } of rows) {
        const stored = v.safeParse(Kept, value)
        const key = stored.success && box.decrypt(Buffer.from(stored.output.sealed, 'base64'))
        if (key && stored.success)
          addresses.set(kind, { url: stored.output.url, apiKey: Buffer.from(key).toString() })
      }
      const chosen = rows.find(({ kind }) => kind === '')?.value
      return { addresses, newKind: typeof chosen === 'string' ? chosen : null, mark }
    },
    /** Calls `onChanged` once when the stored values differ from the mark `opened`. */
    watch: (opened: string, onChanged: () => void): (() => void) => {
      const stop = clock.every(LOOK_EVERY_MS, () => {
        find()
          .then(({ mark }) => {
            if (mark === opened) return
            stop()
            onChanged()
          })
          .catch((error: unknown) => log.debug('gateway.not-looked-up', errorFields(error)))
      })
      return stop
    },
  }
}
