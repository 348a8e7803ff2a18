// The bodies that sources sent, stored in portal.intake_raw until their lead is made.
import type { Database } from '#server/db/database.ts'
import { createGroupCommit } from '#server/db/group-commit.ts'
import { tryAgain } from '#server/db/try-again.ts'
import { instant } from '#server/db/instant.ts'
import { MAX_UNREAD, OVERTAKEN } from '../intake-store.ts'
import type { KeySettings, NewLead } from '../new-lead.ts'
import type { KeyKind } from '../sources.ts'

/** A body and its headers, unchanged. */
export type Sent = { contentType: string; repeatKey: string | null; body: string }
export type Raw = Sent & { id: number; kind: KeyKind; settings: KeySettings; attempts: number }
export type Kept =
  | { id: number; kind: KeyKind; settings: KeySettings; waitSeconds: 0 }
  | { waitSeconds: number }
  | { isOff: true }
export type Taken = { id: number | null; isRepeat: boolean }

type Arrival = { keyHash: Uint8Array; sent: Sent; nowMs: number; retryAtMs: number }
const GROUP = { items: 50, chars: 1_000_000, charsOf: ({ sent }: Arrival) => sent.body.length }

export type RawStore = ReturnType<typeof createRawStore>

export function createRawStore(db: Database) {
  const keep = createGroupCommit((group: readonly Arrival[]) => keepAll(db, group), GROUP)
  return {
    /**
     * Stores a body. Null: the key is unknown or revoked. `retryAtMs`: when another portal takes over if this one has
     * died.
     */
    keep: (keyHash: Uint8Array, sent: Sent, at: { nowMs: number; retryAtMs: number }): Promise<Kept | null> =>
      keep({ keyHash, sent, ...at }),
    /** Leases bodies until `untilMs`, the oldest first, so that no other portal tries them too. */
    due: async (nowMs: number, untilMs: number, most: number): Promise<Raw[]> =>
      (
        await db.query<Raw>(
          `update portal.intake_raw r set attempts = r.attempts + 1, next_at = $2
          from portal.intake_keys k
          where k.id = r.key_id and r.id in (
            select d.id from portal.intake_raw d where d.next_at <= $1
            order by d.next_at, d.id limit $3 for update skip locked)
          returning r.id, r.content_type as "contentType", r.repeat_key as "repeatKey", r.body, r.attempts, k.kind, k.settings`,
          [instant(nowMs), instant(untilMs), most],
        )
      ).rows.toSorted((a, b) => a.id - b.id),
    /**
     * Makes the leads and deletes the body in one transaction; null if another portal was faster. With a `fault`, which
     * says why a part of it could not be read, the body stays for an administrator.
     */
    take: (
      id: number,
      { leads, fault }: { leads: readonly NewLead[]; fault: string | null },
      nowMs: number,
    ): Promise<Taken | null> =>
      // Concurrent repeats of a delivery meet here: the first has stored its lead by now.
      tryAgain(
        async () =>
          (
            await db.query<{ taken: Taken | null }>(
              'select portal.take_raw($1, $2::jsonb, $3, $4) as taken',
              [id, JSON.stringify(leads), fault, instant(nowMs)],
            )
          ).rows[0]?.taken ?? null,
        { codes: OVERTAKEN },
      ),
    /** Keeps a body for an administrator. If its key has too many of them already, deletes it and returns false. */
    setUnread: async (id: number, fault: string): Promise<boolean> =>
      (
        await db.query<{ is_kept: boolean }>('select portal.set_raw_unread($1, $2, $3) as is_kept', [
          id,
          fault,
          MAX_UNREAD,
        ])
      ).rows[0]?.is_kept === true,
    postpone: async (id: number, untilMs: number, fault: string): Promise<void> =>
      void (await db.query(
        'update portal.intake_raw set next_at = $2, fault = $3 where id = $1 and next_at is not null',
        [id, instant(untilMs), fault],
      )),
    /** The body was only a test of the connection by the source. */
    endTest: async (id: number, nowMs: number): Promise<void> =>
      void (await db.query('select portal.end_test($1, $2)', [id, instant(nowMs)])),
    /** The web origins that may send with the key; null for an invalid or inactive key. */
    pagesOf: async (keyHash: Uint8Array, nowMs: number): Promise<readonly string[] | null> =>
      (
        await db.query<{ pages: string[] | null }>('select portal.pages_of($1, $2) as pages', [
          keyHash,
          instant(nowMs),
        ])
      ).rows[0]?.pages ?? null,
    /** The body was read but names no person. It is kept, because a later release may understand it. */
    putAside: async (id: number, why: string): Promise<void> =>
      void (await db.query('select portal.put_raw_aside($1, $2)', [id, why])),
    remove: async (id: number): Promise<void> =>
      void (await db.query('delete from portal.intake_raw where id = $1', [id])),
  }
}

async function keepAll(db: Database, group: readonly Arrival[]): Promise<(Kept | null)[]> {
  const arrivals = group.map(({ keyHash, sent, nowMs, retryAtMs }) => ({
    hash: Buffer.from(keyHash).toString('hex'),
    raw: sent,
    now: instant(nowMs),
    nextAt: instant(retryAtMs),
  }))
  const { rows } = await db.query<{ kept: Kept | null }>(
    'select kept from portal.keep_intakes($1::jsonb) as kept',
    [JSON.stringify(arrivals)],
  )
  return rows.map(({ kept }) => kept)
}
