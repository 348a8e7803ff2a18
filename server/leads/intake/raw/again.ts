// Parses kept bodies again with this version: shows what would change, and applies confirmed changes.
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '#server/clock.ts'
import type { Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database } from '#server/db/database.ts'
import { instant } from '#server/db/instant.ts'
import { withMime } from '../mail/mime.ts'
import { UnreadableLead, type NewLead } from '../new-lead.ts'
import { readBody } from '../sources.ts'
import { readSent } from './body.ts'
import { named } from './maker.ts'
import type { Raw } from './store.ts'

type Kept = Omit<Raw, 'attempts'> & {
  keyName: string
  receivedAt: string
  leads: readonly NewLead[]
  isUnread: boolean
}
/** The fields that are compared and shown. */
const COMPARED = ['name', 'number', 'email', 'message', 'listing', 'campaign', 'development'] as const
type Told = Record<(typeof COMPARED)[number], string | null>
export type Change = {
  id: number
  keyName: string
  receivedAt: string
  /**
   * Each lead that changes: as the body was parsed when it arrived (`before`; null if missed), and as this version
   * does.
   */
  leads: { before: Told | null; after: Told }[]
}

/** Bodies in one request, because parsing blocks the process and the embedded engine's connection. */
const PAGE = 100
const MAX_PAGES = 5
const MAX_CHANGES = 100

export function createReader({ db, clock }: { db: Database; clock: Clock }) {
  const { one } = createAsking(db)
  const page = (claims: Claims, afterId: number, most: number) =>
    one<Kept[]>(claims, 'select portal.kept_intakes($1, $2) as answer', [afterId, most])

  /** The leads by this version; empty if there are none, or if only a part could be parsed. */
  async function readNow(kept: Kept): Promise<readonly NewLead[]> {
    try {
      const body = await withMime(readSent(kept))
      const read = named(readBody(kept, body, Date.parse(kept.receivedAt)), { ...kept, attempts: 1 })
      return read.every((lead): lead is NewLead => !(lead instanceof UnreadableLead) && !lead.isTest)
        ? read
        : []
    } catch (error) {
      if (error instanceof UnreadableLead) return []
      throw error
    }
  }

  return {
    /** `next`: the id to continue after; null at the end. */
    compare: async (claims: Claims, afterId: number): Promise<{ changes: Change[]; next: number | null }> => {
      const changes: Change[] = []
      let last = afterId
      for (let each = 0; each < MAX_PAGES && changes.length < MAX_CHANGES; each++) {
        const all = await page(claims, last, PAGE)
        for (const kept of all) {
          const leads = changesOf(kept.leads, await readNow(kept))
          if (leads.length > 0)
            changes.push({ id: kept.id, keyName: kept.keyName, receivedAt: kept.receivedAt, leads })
          last = kept.id
          await setImmediate()
        }
        if (all.length < PAGE) return { changes, next: null }
      }
      return { changes, next: last }
    },
    /**
     * Applies the new parsing. Null: the body was deleted. `isUnread`: the body now counts as one that cannot be
     * parsed.
     */
    mend: async (
      claims: Claims,
      id: number,
    ): Promise<{ mended: number; spoken: number } | { isUnread: true } | null> => {
      const [kept] = await page(claims, id - 1, 1)
      if (kept?.id !== id) return null
      if (kept.isUnread) return { isUnread: true }
      const leads = await readNow(kept)
      if (changesOf(kept.leads, leads).length === 0) return { mended: 0, spoken: 0 }
      return one<{ mended: number; spoken: number } | null>(
        claims,
        'select portal.mend_intake($1, $2::jsonb, $3) as answer',
        [id, JSON.stringify(leads), instant(clock.now())],
      )
    },
  }
}

/** If this version finds fewer people than before, nothing changes: existing leads stay. */
function changesOf(then: readonly NewLead[], now: readonly NewLead[]): Change['leads'] {
  if (now.length < then.length) return []
  return now.flatMap((lead, at) => {
    const before = then[at]
    const isSame = before !== undefined && COMPARED.every((what) => (before[what] ?? null) === lead[what])
    return isSame ? [] : [{ before: before === undefined ? null : toldOf(before), after: toldOf(lead) }]
  })
}

const toldOf = (lead: NewLead): Told =>
  Object.fromEntries(COMPARED.map((what) => [what, lead[what] ?? null])) as Told
