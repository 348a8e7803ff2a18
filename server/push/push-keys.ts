// The pair of keys that signs pushes, and who is to be told when something is wrong with them (VAPID). PWA.md 4.
import webPush from 'web-push'
import type { Database } from '#server/db/database.ts'

export type PushKeys = { subject: string; publicKey: string; privateKey: string }

/** A reserved name that is nobody's: push services want a subject, and a portal on its own machine has none. */
const NOBODY = 'https://portal.invalid'

/**
 * Made by the first portal that starts, and the same for every other over the database. `subject` is VAPID_SUBJECT;
 * the portal's address serves where it is one of the world's.
 */
export async function ensureKeys(
  db: Database,
  subject: string | undefined,
  publicUrl: string | undefined,
): Promise<PushKeys> {
  const made = webPush.generateVAPIDKeys()
  await db.query(
    'insert into portal.push_keys (public_key, private_key) values ($1, $2) on conflict do nothing',
    [made.publicKey, made.privateKey],
  )
  const { rows } = await db.query<{ publicKey: string; privateKey: string }>(
    'select public_key as "publicKey", private_key as "privateKey" from portal.push_keys',
  )
  const own = publicUrl?.startsWith('https://') ? publicUrl : NOBODY
  return { subject: subject ?? own, ...(rows[0] ?? made) }
}
