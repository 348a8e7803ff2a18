// Database access of the intake: keys, leads that are stored once, and leads of Meta that must still be fetched.
import type { Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database } from '#server/db/database.ts'
import { tryAgain } from '#server/db/try-again.ts'
import { instant } from '#server/db/instant.ts'
import type { MetaSecrets } from './meta/meta.ts'
import type { Encrypted, MetaSecretBox } from './meta/secrets.ts'
import type { Fields, KeySettings, NewLead } from './new-lead.ts'
import type { KeyKind } from './sources.ts'
import type { Leadgen } from './sources/meta.ts'

export type Key = {
  id: string
  kind: KeyKind
  settings: KeySettings
  secrets: MetaSecrets
  /** How long the key must wait, because it sent too many leads this minute. 0: it need not. */
  waitSeconds: number
}
export type NewKey = {
  kind: KeyKind
  name: string
  settings: KeySettings
  secrets: MetaSecrets
  perMinute: number
}
export type DueLeadgen = {
  keyId: string
  leadgenId: string
  value: Fields
  settings: KeySettings
  secrets: MetaSecrets
  attempts: number
}

/** SQLSTATEs that mean: another request stored the lead first, or it was merged or removed meanwhile. */
export const OVERTAKEN = ['23505', '23503']

/** A lead, and what Meta said about it. */
type Answered = { lead: NewLead; told: Leadgen }

/** How many unreadable bodies one key keeps. The portal refuses further ones. */
export const MAX_UNREAD = 200

/** The body in the form in which Meta's source can parse it again. */
const bodyOf = ({ leadgenId, value }: Leadgen): string => JSON.stringify({ ...value, leadgen_id: leadgenId })

/** The form in which the database stores it, with the secrets encrypted. */
type Kept<T extends { secrets: MetaSecrets }> = Omit<T, 'secrets'> & { secrets: Encrypted }

export function createIntakeStore(db: Database, metaSecrets: MetaSecretBox) {
  const opened = <T extends { secrets: Encrypted }>(stored: T) => ({
    ...stored,
    secrets: metaSecrets.decrypt(stored.secrets),
  })
  const keyById = async (id: string, nowMs: number): Promise<Key | null> => {
    const { rows } = await db.query<{ key: Kept<Key> | null }>(
      'select portal.intake_key($1, $2, $3) as key',
      [null, id, instant(nowMs)],
    )
    const stored = rows[0]?.key
    return stored ? opened(stored) : null
  }
  const takeOnce = async (keyId: string, { lead, told }: Answered, nowMs: number) =>
    // A function always returns one row.
    (
      await db.query<{ taken: { id: number | null; isRepeat: boolean } }>(
        'select portal.take_meta($1, $2::jsonb, $3, $4) as taken',
        [keyId, JSON.stringify(lead), bodyOf(told), instant(nowMs)],
      )
    ).rows[0]!.taken
  return {
    keyById,
    // If Meta sends a delivery twice at once, the second finds the first one stored.
    takeLeadgen: (keyId: string, answered: Answered, nowMs: number) =>
      tryAgain(() => takeOnce(keyId, answered, nowMs), { codes: OVERTAKEN }),
    /** Returns false if the key has too many unread bodies already. */
    setLeadgenUnread: async (keyId: string, told: Leadgen, at: { fault: string; nowMs: number }) =>
      (
        await db.query<{ is_kept: boolean }>(
          'select portal.set_meta_unread($1, $2, $3, $4, $5, $6) as is_kept',
          [keyId, told.leadgenId, bodyOf(told), at.fault, MAX_UNREAD, instant(at.nowMs)],
        )
      ).rows[0]?.is_kept === true,
    /** Stores announced leads that are not known yet. */
    keepLeadgens: async (keyId: string, leadgens: readonly Leadgen[], nowMs: number): Promise<void> =>
      void (await db.query(
        `insert into portal.meta_inbox (key_id, leadgen_id, value, next_at, received_at)
        select $1, l.id, l.value, $4, $4 from unnest($2::text[], $3::jsonb[]) as l (id, value)
        where not exists (select from portal.lead_intakes i where i.key_id = $1 and i.external_id = l.id)
        on conflict do nothing`,
        [
          keyId,
          leadgens.map(({ leadgenId }) => leadgenId),
          leadgens.map(({ value }) => JSON.stringify(value)),
          instant(nowMs),
        ],
      )),
    /** Takes the leads that are due, and leases them, so that no other portal fetches them as well. */
    dueLeadgens: async (nowMs: number, leaseMs: number): Promise<DueLeadgen[]> =>
      (
        await db.query<Kept<DueLeadgen>>(
          `update portal.meta_inbox m set attempts = m.attempts + 1, next_at = $2
          from portal.intake_keys k
          where k.id = m.key_id and (m.key_id, m.leadgen_id) in (
            select d.key_id, d.leadgen_id from portal.meta_inbox d where d.next_at <= $1
            order by d.next_at limit 20 for update skip locked)
          returning m.key_id as "keyId", m.leadgen_id as "leadgenId", m.value, k.settings, k.secrets, m.attempts`,
          [instant(nowMs), instant(nowMs + leaseMs)],
        )
      ).rows.map(opened),
    /** Records Meta's test delivery, which creates no lead. */
    endTest: async (keyId: string, leadgenId: string, nowMs: number): Promise<void> =>
      void (await db.query(
        `with gone as (delete from portal.meta_inbox where key_id = $1 and leadgen_id = $2)
        update portal.intake_keys set tested_at = $3 where id = $1`,
        [keyId, leadgenId, instant(nowMs)],
      )),
    /** Sets when the lead is fetched next. Null: the portal gives up, and an administrator looks at it. */
    postponeLeadgen: async (leadgen: DueLeadgen, untilMs: number | null, fault: string): Promise<void> =>
      void (await db.query(
        'update portal.meta_inbox set next_at = $3, fault = $4 where key_id = $1 and leadgen_id = $2',
        [leadgen.keyId, leadgen.leadgenId, untilMs === null ? null : instant(untilMs), fault],
      )),
  }
}

/** An administrator's actions on keys; each rejects with a PortalError that can be shown. */
export function createKeyStore(db: Database, metaSecrets: MetaSecretBox) {
  const { one } = createAsking(db)
  return {
    list: (claims: Claims) => one<unknown[]>(claims, 'select portal.intake_key_list() as answer', []),
    add: (claims: Claims, asked: { operationId: string; key: NewKey; hash: Uint8Array; nowMs: number }) =>
      one<{ id: string }>(claims, 'select portal.add_intake_key($1, $2::jsonb, $3, $4) as answer', [
        asked.operationId,
        JSON.stringify({ ...asked.key, secrets: metaSecrets.encrypt(asked.key.secrets) }),
        asked.hash,
        instant(asked.nowMs),
      ]),
    /** The data from which the portal derives a key again, to show its address. */
    origin: (claims: Claims, id: string) =>
      one<{ kind: KeyKind; madeBy: string | null; madeIn: string | null; hash: string }>(
        claims,
        'select portal.intake_key_origin($1) as answer',
        [id],
      ),
    change: (claims: Claims, id: string, { change, nowMs }: { change: object; nowMs: number }) =>
      one<{ id: string }>(claims, 'select portal.change_intake_key($1, $2::jsonb, $3) as answer', [
        id,
        JSON.stringify(change),
        instant(nowMs),
      ]),
    swap: (claims: Claims, asked: { id: string; operationId: string; hash: Uint8Array; nowMs: number }) =>
      one<{ id: string }>(claims, 'select portal.swap_intake_key($1, $2, $3, $4) as answer', [
        asked.id,
        asked.operationId,
        asked.hash,
        instant(asked.nowMs),
      ]),
    test: (claims: Claims, id: string, nowMs: number) =>
      one<{ kind: KeyKind; settings: KeySettings; roleta: string | null }>(
        claims,
        'select portal.note_key_test($1, $2) as answer',
        [id, instant(nowMs)],
      ),
    revoke: (claims: Claims, id: string, nowMs: number) =>
      one<{ id: string }>(claims, 'select portal.revoke_intake_key($1, $2) as answer', [id, instant(nowMs)]),
  }
}

/** An administrator's corrections of a lead; each rejects with a PortalError that can be shown. */
export function createContactStore(db: Database) {
  const { one } = createAsking(db)
  return {
    complete: (
      claims: Claims,
      asked: { contactId: number; number: string; operationId: string; nowMs: number },
    ) =>
      one<{ contactId: number; isKnown: boolean }>(
        claims,
        'select portal.complete_lead($1, $2, $3, $4) as answer',
        [asked.contactId, asked.number, asked.operationId, instant(asked.nowMs)],
      ),

    doubts: (claims: Claims) =>
      one<readonly NumberDoubt[]>(claims, 'select portal.list_number_doubts() as answer', []),

    decide: (claims: Claims, asked: { contactId: number; number: string; operationId: string }) =>
      one<{ contactId: number; isKnown: boolean }>(
        claims,
        'select portal.decide_number($1, $2, $3) as answer',
        [asked.contactId, asked.number, asked.operationId],
      ),
  }
}

/** A lead to which nothing is sent until somebody has chosen the right number. */
export type NumberDoubt = {
  contactId: number
  name: string | null
  instanceName: string | null
  shown: string
  /** Further phone numbers, each as '+' and digits. */
  numbers: readonly string[]
}
