// Database access for mailboxes: which is due, what was read of it, and its settings.
import type { Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database } from '#server/db/database.ts'
import { instant } from '#server/db/instant.ts'
import type { SecretBox } from '#server/secret-box.ts'
import type { Box, RoundFault, Taken } from './round.ts'

export type DueBox = Box & { keyId: string; attempts: number }
export type BoxSettings = {
  host: string
  port: number
  username: string
  folder: string
  isOn: boolean
  /** Undefined: the stored password stays. */
  password?: string | undefined
}
type Stored = Omit<DueBox, 'password' | 'sinceMs'> & { sealed: string; since: string | null }

const msOf = (at: string | null | undefined): number | null => (at == null ? null : new Date(at).getTime())

export function createMailboxStore(db: Database, secretBox: SecretBox) {
  const opened = (sealed: string): string => {
    const password = secretBox.decrypt(Buffer.from(sealed, 'base64url'))
    return password === null ? '' : Buffer.from(password).toString()
  }
  return {
    /** A mailbox that is due, leased until `untilMs`, so that no other portal polls it too. */
    due: async (nowMs: number, untilMs: number): Promise<DueBox | null> => {
      const { rows } = await db.query<Stored>(
        `update portal.mailboxes b set next_at = $2, attempts = b.attempts + 1
        where b.key_id = (
          select d.key_id from portal.mailboxes d join portal.intake_keys k on k.id = d.key_id
          where d.is_on and k.revoked_at is null and k.off_at is null
            -- Not later than any wait is: a clock may have run ahead.
            and (d.next_at <= $1 or d.next_at > $1 + interval '2 hours')
          order by d.next_at limit 1 for update of d skip locked)
        returning b.key_id as "keyId", b.host, b.port, b.username, b.folder, b.sealed, b.uid_validity as "uidValidity",
          b.last_uid as "lastUid", b.since, b.attempts`,
        [instant(nowMs), instant(untilMs)],
      )
      const [stored] = rows
      if (stored === undefined) return null
      const { sealed, since, ...box } = stored
      return { ...box, password: opened(sealed), sinceMs: msOf(since) }
    },
    /**
     * Mails of a recreated folder count from the time when the mailbox was configured; repeated ones are
     * known by their hash.
     */
    begin: async (
      keyId: string,
      folder: { uidValidity: string; lastUid: number },
    ): Promise<number | null> => {
      const { rows } = await db.query<{ since: string | null }>(
        `update portal.mailboxes set uid_validity = $2, last_uid = $3,
          since = case when uid_validity is null then null else changed_at end
        where key_id = $1 returning since`,
        [keyId, folder.uidValidity, folder.lastUid],
      )
      return msOf(rows[0]?.since)
    },
    /** Stores a mail once, however often its folder was made anew. Returns whether the mail is new. */
    keep: async (keyId: string, { uidValidity, uid, hash, body }: Taken, nowMs: number): Promise<boolean> => {
      const { rows } = await db.query<{ count: number }>(
        `with box as (
          update portal.mailboxes b set last_uid = greatest(b.last_uid, $3) where b.key_id = $1 and b.uid_validity = $2 returning b.key_id
        ), fresh as (
          insert into portal.mailbox_mails (key_id, hash, taken_at) select key_id, $4, $6 from box where $4::text is not null
          on conflict do nothing returning key_id
        ), kept as (
          insert into portal.intake_raw (key_id, content_type, repeat_key, body, next_at, received_at)
          select key_id, 'application/json', 'e-mail ' || $4, $5, $6, $6 from fresh where $5::text is not null returning id
        )
        select count(*)::integer as count from kept`,
        [keyId, uidValidity, uid, hash, body, instant(nowMs)],
      )
      return rows[0]?.count === 1
    },
    /** Ends a poll. `nextMs` null: the mailbox waits for an administrator. */
    end: async (
      keyId: string,
      { nextMs, fault }: { nextMs: number | null; fault: RoundFault | null },
      nowMs: number,
    ): Promise<void> =>
      void (await db.query(
        `update portal.mailboxes set next_at = $2, fault = $3, read_at = case when $3::text is null then $4 else read_at end,
          attempts = case when $3::text is null then 0 else attempts end where key_id = $1`,
        [keyId, nextMs === null ? null : instant(nextMs), fault, instant(nowMs)],
      )),
  }
}

/** Settings of mailboxes; every method rejects with a PortalError whose message a person may read. */
export function createMailboxSettings(db: Database, secretBox: SecretBox) {
  const { one } = createAsking(db)
  return {
    find: (claims: Claims, keyId: string) =>
      one<unknown>(claims, 'select portal.mailbox_of($1) as answer', [keyId]),
    set: (
      claims: Claims,
      keyId: string,
      { box: { password, ...box }, nowMs }: { box: BoxSettings; nowMs: number },
    ) => {
      const sealed =
        password === undefined
          ? null
          : Buffer.from(secretBox.encrypt(Buffer.from(password))).toString('base64url')
      return one<unknown>(claims, 'select portal.set_mailbox($1, $2::jsonb, $3) as answer', [
        keyId,
        JSON.stringify({ ...box, sealed }),
        instant(nowMs),
      ])
    },
    remove: (claims: Claims, keyId: string) =>
      one<unknown>(claims, 'select portal.remove_mailbox($1) as answer', [keyId]),
  }
}
