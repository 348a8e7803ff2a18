// The key pair that signs pushes, and the contact for push services (VAPID).
import webPush from 'web-push'
import type { Database } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'
import { createSecretBox } from '#server/secret-box.ts'

/** `privateKey` null: it was encrypted under another JWT_SECRET and cannot sign until that one is back. */
export type PushKeys = { subject: string; publicKey: string; privateKey: string | null }

type KeyOptions = {
  db: Database
  log: Log
  jwtSecret: string
  vapidSubject: string | undefined
  publicUrl: string | undefined
}

/** A reserved name: push services require a subject, and a local portal has no public address. */
const NOBODY = 'https://portal.invalid'

/**
 * Created by the first portal and shared by all over the database; stored encrypted. Devices are bound to the
 * pair, so a pair that cannot be decrypted is kept; only `forgetKeys` replaces it. `vapidSubject`: by default
 * the portal's public address.
 */
export async function ensureKeys({ db, log, ...options }: KeyOptions): Promise<PushKeys> {
  const secretBox = createSecretBox(options.jwtSecret, 'portal key of pushes')
  const encrypt = (key: string) => Buffer.from(secretBox.encrypt(Buffer.from(key))).toString('base64url')
  const made = webPush.generateVAPIDKeys()
  await db.query(
    'insert into portal.push_keys (public_key, private_key, is_sealed) values ($1, $2, true) on conflict do nothing',
    [made.publicKey, encrypt(made.privateKey)],
  )
  const { rows } = await db.query<{ publicKey: string; kept: string; isEncrypted: boolean }>(
    'select public_key as "publicKey", private_key as kept, is_sealed as "isEncrypted" from portal.push_keys',
  )
  const {
    publicKey,
    kept: stored,
    isEncrypted,
  } = rows[0] ?? {
    publicKey: made.publicKey,
    kept: made.privateKey,
    isEncrypted: false,
  }
  // Encrypts a key that an older portal stored in clear text.
  if (!isEncrypted)
    await db.query('update portal.push_keys set private_key = $2, is_sealed = true where private_key = $1', [
      stored,
      encrypt(stored),
    ])
  const opened = isEncrypted ? secretBox.decrypt(Buffer.from(stored, 'base64url')) : Buffer.from(stored)
  if (opened === null)
    log.error('push.key-sealed-elsewhere', {
      cause: 'JWT_SECRET is not the one that the key of pushes was sealed under: no push goes out',
      mend: 'put the former JWT_SECRET back; where it is lost for good: npm run push-keys -- --renew',
    })
  const own = options.publicUrl?.startsWith('https://') ? options.publicUrl : NOBODY
  return {
    subject: options.vapidSubject ?? own,
    publicKey,
    privateKey: opened === null ? null : Buffer.from(opened).toString(),
  }
}

/**
 * Deletes the pair, so that the next start creates another, with all devices, which the new pair cannot
 * reach. Each device returns when its person next opens the app. Returns their number.
 */
export function forgetKeys(db: Database): Promise<number> {
  return db.transaction(async (query) => {
    const { rowCount } = await query('delete from portal.push_devices')
    await query('delete from portal.push_keys')
    return rowCount
  })
}
