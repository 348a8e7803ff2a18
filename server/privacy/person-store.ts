// Database access for one person's data; each call runs as the calling administrator.
import type { HeldData, PersonAsked } from '#domain/person-data.ts'
import { onBehalf, type Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database, Query } from '#server/db/database.ts'
import { toRefusal } from '#server/db/refusal.ts'

export type ErasedCounts = { leads: number; messages: number; rows: number; files: number }

export type HeldRow = { id: number; data: Readonly<Record<string, unknown>> }

const PAGE = 200

/**
 * Every method rejects with a PortalError whose message a person may read. While `takeLock` holds its lock, no
 * delivery is applied.
 */
export function createPersonStore(db: Database, takeLock: (query: Query) => Promise<void>) {
  const ask = createAsking(db)
  return {
    find: (claims: Claims, who: PersonAsked) =>
      ask.one<HeldData>(claims, 'select portal.find_person($1, $2) as answer', named(who)),

    addresses: (claims: Claims, who: PersonAsked) =>
      ask.one<string[]>(claims, 'select portal.person_addresses($1, $2) as answer', named(who)),

    /** Raises `person.unknown`. */
    noteExport: (claims: Claims, who: PersonAsked) =>
      ask.one<unknown>(claims, 'select portal.note_person_export($1, $2) as answer', named(who)),

    /** Reads all rows of a place, oldest first. One page at a time is in memory. */
    read: async function* (claims: Claims, who: PersonAsked, place: string): AsyncGenerator<HeldRow> {
      let after = 0
      for (;;) {
        const page = await ask.rows<HeldRow>(
          claims,
          'select id, data from portal.read_person($1, $2, $3, $4, $5)',
          [...named(who), place, after, PAGE],
        )
        yield* page
        if (page.length < PAGE) return
        after = page.at(-1)?.id ?? after
      }
    },

    /** Raises `person.unknown` and `person.sending`. */
    erase: async (claims: Claims, who: PersonAsked, operationId: string): Promise<ErasedCounts> => {
      try {
        return await onBehalf(db, claims, async (query) => {
          await takeLock(query)
          const { rows } = await query<{ answer: ErasedCounts }>(
            'select portal.erase_person($1, $2, $3) as answer',
            [...named(who), operationId],
          )
          // A function always returns one row.
          return rows[0]!.answer
        })
      } catch (error) {
        throw toRefusal(error)
      }
    },
  }
}

export type PersonStore = ReturnType<typeof createPersonStore>

const named = (who: PersonAsked): [string | null, number | null] =>
  'number' in who ? [who.number, null] : [null, who.contactId]
