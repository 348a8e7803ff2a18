// Database access for the feed: readings run as the portal, requests as the calling administrator.
import { createHash } from 'node:crypto'
import type { Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database, SqlValue } from '#server/db/database.ts'
import { instant } from '#server/db/instant.ts'
import { toRefusal } from '#server/db/refusal.ts'
import type { FeedListing } from './listing.ts'
import type { FeedSummary } from './vrsync.ts'

export type DueFeed = {
  address: string
  etag: string | null
  lastModified: string | null
  /** The administrator who asked for it; null: the hourly reading. */
  askedBy: string | null
  attempts: number
}
export type RunState = 'waiting' | 'applied' | 'same' | 'refused'
export type StoredPhoto = {
  mediaId: string
  thumbId: string
  wholeId: string | null
  sizeBytes: number
  width: number
  height: number
}
export type DuePhoto = { listingId: number; url: string; attempts: number }

/** An equal hash means that a listing is not written again. */
const withHash = (listing: FeedListing) => ({
  ...listing,
  hash: createHash('sha256').update(JSON.stringify(listing)).digest('hex'),
})

/** Methods of the portal itself. */
export function createFeedRuns(db: Database) {
  const ask = async <T>(call: string, values: SqlValue[]): Promise<T> => {
    try {
      // A function always returns one row.
      return (await db.query<{ answer: T }>(`select ${call} as answer`, values)).rows[0]!.answer
    } catch (error) {
      throw toRefusal(error)
    }
  }
  return {
    begin: (from: { source: 'address' | 'file'; isHourly: boolean; by: string | null }, nowMs: number) =>
      ask<number>('portal.begin_feed_run($1, $2, $3, $4)', [
        from.source,
        from.isHourly,
        from.by,
        instant(nowMs),
      ]),
    /** The reader is still there: a run without a report for a minute counts as lost. */
    note: (run: number, nowMs: number) => ask<string>('portal.note_feed_run($1, $2)', [run, instant(nowMs)]),
    stage: (run: number, listings: readonly FeedListing[], nowMs: number) =>
      ask<string>('portal.stage_listings($1, $2::jsonb, $3)', [
        run,
        JSON.stringify(listings.map(withHash)),
        instant(nowMs),
      ]),
    end: (run: number, read: FeedSummary & { codes: readonly string[] }, nowMs: number) =>
      ask<{ id: number; state: RunState }>('portal.end_feed_run($1, $2::text[], $3::jsonb, $4, $5)', [
        run,
        [...read.codes],
        JSON.stringify(read.problems),
        read.problemCount,
        instant(nowMs),
      ]),
    fail: (run: number, fault: string, nowMs: number) =>
      ask<string>('portal.fail_feed_run($1, $2, $3)', [run, fault, instant(nowMs)]),
    claim: (nowMs: number) => ask<DueFeed | null>('portal.claim_feed($1)', [instant(nowMs)]),
    /** `nextMs`: the next attempt; null: in an hour, if it is read hourly. */
    settle: (
      end: { etag: string | null; lastModified: string | null; isRead: boolean; nextMs: number | null },
      nowMs: number,
    ) =>
      ask<string>('portal.settle_feed($1, $2, $3, $4, $5)', [
        end.etag,
        end.lastModified,
        end.isRead,
        end.nextMs === null ? null : instant(end.nextMs),
        instant(nowMs),
      ]),
    duePhotos: async (nowMs: number, maxBytes: number, most: number): Promise<DuePhoto[]> =>
      (
        await db.query<{ listing_id: number; url: string; attempts: number }>(
          'select * from portal.due_photos($1, $2, $3)',
          [instant(nowMs), maxBytes, most],
        )
      ).rows.map(({ listing_id: listingId, ...photo }) => ({ listingId, ...photo })),
    settlePhoto: (
      { listingId, url }: DuePhoto,
      end: { photo: StoredPhoto | null; fault: string | null; nextMs: number | null },
    ) =>
      ask<string>('portal.settle_photo($1, $2, $3::jsonb, $4, $5)', [
        listingId,
        url,
        end.photo === null ? null : JSON.stringify(end.photo),
        end.fault,
        end.nextMs === null ? null : instant(end.nextMs),
      ]),
  }
}

/** Methods for administrators; every one rejects with a PortalError whose message a person may read. */
export function createFeedStore(db: Database) {
  const { one } = createAsking(db)
  return {
    state: (claims: Claims, nowMs: number, maxPhotoBytes: number) =>
      one<object>(claims, 'select portal.feed_state($1, $2) as answer', [instant(nowMs), maxPhotoBytes]),
    save: (claims: Claims, wanted: { address: string | null; isHourly: boolean }, nowMs: number) =>
      one<string>(claims, 'select portal.save_feed($1, $2, $3) as answer', [
        wanted.address,
        wanted.isHourly,
        instant(nowMs),
      ]),
    askRead: (claims: Claims, nowMs: number) =>
      one<string>(claims, 'select portal.ask_feed_read($1) as answer', [instant(nowMs)]),
    changes: (
      claims: Claims,
      run: number,
      page: { kind: string | null; after: string | null; limit: number },
    ) =>
      one<object[]>(claims, 'select portal.list_feed_changes($1, $2, $3, $4) as answer', [
        run,
        page.kind,
        page.after,
        page.limit,
      ]),
    apply: (
      claims: Claims,
      run: number,
      wanted: { except: readonly string[]; confirmed: number | null; nowMs: number },
    ) =>
      one<{ count: number }>(claims, 'select portal.apply_feed_run($1, $2::text[], $3, $4) as answer', [
        run,
        [...wanted.except],
        wanted.confirmed,
        instant(wanted.nowMs),
      ]),
    saveListing: (claims: Claims, { id, nowMs, ...wanted }: { id: number; nowMs: number }) =>
      one<string>(claims, 'select portal.save_listing($1, $2::jsonb, $3) as answer', [
        id,
        JSON.stringify(wanted),
        instant(nowMs),
      ]),
    listings: (
      claims: Claims,
      page: { search: string | null; filter: string | null; after: number | null; limit: number },
    ) =>
      one<object[]>(claims, 'select portal.list_listings($1, $2, $3, $4) as answer', [
        page.search,
        page.filter,
        page.after,
        page.limit,
      ]),
  }
}
