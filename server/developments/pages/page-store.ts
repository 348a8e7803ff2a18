// Database access for public pages and the feed for portals: what the public sees is read as the portal, the rest as
// the calling person.
import { createHash, randomBytes } from 'node:crypto'
import type { Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database } from '#server/db/database.ts'
import { instant } from '#server/db/instant.ts'
import type { PageContent } from './content.ts'
import type { PublishedFacts } from './left-out.ts'

export type PublicPage = PageContent & { central: string | null }

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')

export function createPageStore(db: Database) {
  const { one } = createAsking(db)
  const value = async <T>(call: string, values: Parameters<Database['query']>[1]): Promise<T> =>
    // A function always returns one row.
    (await db.query<{ answer: T }>(`select ${call} as answer`, values)).rows[0]!.answer
  return {
    page: (slug: string, nowMs: number) =>
      value<PublicPage | null>('portal.public_page($1, $2)', [slug, instant(nowMs)]),
    photo: (slug: string, mediaId: string) =>
      value<string | null>('portal.public_photo($1, $2)', [slug, mediaId]),
    paper: (slug: string, kind: string) =>
      value<{ mediaId: string; fileName: string } | null>('portal.public_paper($1, $2)', [slug, kind]),
    noteVisit: (token: string, slug: string, nowMs: number) =>
      value<string>(`portal.note_visit(decode($1, 'hex'), $2, $3)`, [hashOf(token), slug, instant(nowMs)]),
    feedOut: (secret: string) =>
      value<{ email: string; state: string } | null>(`portal.feed_out_of(decode($1, 'hex'))`, [
        hashOf(secret),
      ]),
    centralNumber: () =>
      value<string | null>(
        `(select broker_number from public.brokers where central_since is not null and broker_number is not null
          order by central_since, id limit 1)`,
        [],
      ),
    feedOutPages: async (after: number, limit: number, nowMs: number) =>
      (
        await db.query<{ id: number; content: PageContent | null }>(
          'select * from portal.feed_out_pages($1, $2, $3)',
          [after, limit, instant(nowMs)],
        )
      ).rows,

    publishing: (claims: Claims, nowMs: number) =>
      one<object>(claims, 'select portal.publishing($1) as answer', [instant(nowMs)]),
    publish: (
      claims: Claims,
      wanted: { developmentId: number | null; listingId: number | null; isPublished: boolean },
      nowMs: number,
    ) =>
      one<{ slug: string; isPublished: boolean }>(
        claims,
        'select portal.publish_page($1, $2, $3, $4) as answer',
        [wanted.developmentId, wanted.listingId, wanted.isPublished, instant(nowMs)],
      ),
    publishedFacts: (claims: Claims, asked: { after: number; limit: number; nowMs: number }) =>
      one<PublishedFacts[]>(claims, 'select portal.published_facts($1, $2, $3) as answer', [
        asked.after,
        asked.limit,
        instant(asked.nowMs),
      ]),
    tellVisits: (claims: Claims, isOn: boolean) =>
      one<string>(claims, 'select portal.tell_visits($1) as answer', [isOn]),
    /** Only this call returns the secret; it cannot be read later. */
    renewFeedOut: async (
      claims: Claims,
      { email, state }: { email: string; state: string },
      nowMs: number,
    ) => {
      const secret = randomBytes(32).toString('hex')
      await one<string>(claims, `select portal.renew_feed_out(decode($1, 'hex'), $2, $3, $4) as answer`, [
        hashOf(secret),
        email,
        state,
        instant(nowMs),
      ])
      return secret
    },
    endFeedOut: (claims: Claims) => one<string>(claims, 'select portal.end_feed_out() as answer', []),
    /** A lead's own token of a page; null while the agency does not note visits. */
    link: async (claims: Claims, { contactId, slug }: { contactId: number; slug: string }, nowMs: number) => {
      const token = randomBytes(16).toString('base64url')
      const isTold = await one<boolean>(
        claims,
        `select portal.page_link($1, $2, decode($3, 'hex'), $4) as answer`,
        [contactId, slug, hashOf(token), instant(nowMs)],
      )
      return isTold ? token : null
    },
  }
}
