// Reads and answers what rotations offer the signed-in broker: leads to accept, and the bolsão (leads that nobody
// accepted). Also the broker's pause and share.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { keys } from '#data/keys.ts'

const timeMs = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
)
/** The value 'infinity' means that the pause lasts until the broker ends it. */
const pauseMs = v.pipe(
  v.string(),
  v.transform((text) => (text === 'infinity' ? Infinity : Date.parse(text))),
)

const MineRow = v.object({
  offers: v.array(
    v.object({
      id: v.number(),
      firstName: v.nullable(v.string()),
      development: v.nullable(v.string()),
      offeredAt: timeMs,
      expiresAt: timeMs,
    }),
  ),
  pool: v.array(
    v.object({
      id: v.number(),
      firstName: v.nullable(v.string()),
      development: v.nullable(v.string()),
      since: timeMs,
    }),
  ),
  pausedUntil: v.nullable(pauseMs),
  /** Missing in responses of the previous release's portal. */
  hasTeam: v.optional(v.boolean(), false),
  now: timeMs,
})

/**
 * A lead that the broker may accept, with what the broker may know beforehand. Its times are converted to this device's
 * clock, even if that is wrong.
 */
export type Offer = {
  id: number
  firstName: string | null
  development: string | null
  offeredAtMs: number
  expiresAtMs: number
}
/** A lead in the bolsão, which any broker of the rotation may take. */
export type Pooled = { id: number; firstName: string | null; development: string | null; sinceMs: number }
export type Offers = {
  offers: readonly Offer[]
  pool: readonly Pooled[]
  /** Infinity if the pause lasts until the broker ends it; null if the broker is not paused. */
  pausedUntilMs: number | null
  /** True if the broker is in a team (src/data/passes.ts), and so may pass leads to colleagues. */
  hasTeam: boolean
}

/** Live events report each offer. The poll helps if their connection is dead and nobody has noticed. */
const LOOK_AGAIN_MS = 60_000

export function offersQuery() {
  return queryOptions({
    queryKey: keys.offers(),
    queryFn: async ({ signal }): Promise<Offers> => {
      const { offers, pool, pausedUntil, hasTeam, now } = v.parse(
        MineRow,
        await portal('/api/roleta/mine', { signal }),
      )
      const aheadMs = Date.now() - now
      return {
        offers: offers.map(({ offeredAt, expiresAt, ...offer }) => ({
          ...offer,
          offeredAtMs: offeredAt + aheadMs,
          expiresAtMs: expiresAt + aheadMs,
        })),
        pool: pool.map(({ since, ...lead }) => ({ ...lead, sinceMs: since + aheadMs })),
        pausedUntilMs: pausedUntil,
        hasTeam,
      }
    },
    refetchInterval: LOOK_AGAIN_MS,
  })
}

export type Intent = 'accept' | 'pass' | 'claim'
export type OfferAnswer = { id: number; intent: Intent; operationId: string }

const Answered = v.object({ contactId: v.nullable(v.number()) })

/**
 * Answers an offer. If the broker got the lead, it is on the board by then, and its id is returned. Repeating an
 * operation id has no further effect. Throws PortalError `offer.expired`, `offer.gone`, `offer.unknown`.
 */
export function answerOffer() {
  return mutationOptions({
    mutationFn: async ({ id, intent, operationId }: OfferAnswer, { client }): Promise<number | null> => {
      try {
        const answer = await portal(`/api/roleta/mine/${id}/${intent}`, {
          method: 'POST',
          body: { operationId },
        })
        const { contactId } = v.parse(Answered, answer)
        if (contactId !== null) await client.invalidateQueries({ queryKey: keys.boards() })
        return contactId
      } finally {
        void client.invalidateQueries({ queryKey: keys.offers() })
      }
    },
  })
}

/**
 * Stops new leads until the given time. Infinity stops them until the broker ends the pause; null ends the pause now.
 */
export function pauseLeads() {
  return mutationOptions({
    mutationFn: async (untilMs: number | null, { client }) => {
      const isOpenEnded = untilMs === Infinity
      const until = untilMs === null || isOpenEnded ? null : new Date(untilMs).toISOString()
      try {
        await portal('/api/roleta/mine/pause', { method: 'POST', body: { until, isOpenEnded } })
      } finally {
        await client.invalidateQueries({ queryKey: keys.offers() })
      }
    },
  })
}

const OwnShareRows = v.object({
  shares: v.array(
    v.object({
      roleta: v.string(),
      weight: v.number(),
      totalWeight: v.nullable(v.number()),
      total: v.number(),
      kinds: v.record(v.string(), v.number()),
      /** The sum of the counts in `why`. */
      leads: v.optional(v.number(), 0),
      why: v.array(v.string()),
    }),
  ),
})

/** How many of a rotation's leads the broker got in the last 30 days, and why it was not more. */
export type OwnShare = v.InferOutput<typeof OwnShareRows>['shares'][number]

/** Returns an empty list for a broker who is in no rotation. */
export function ownSharesQuery() {
  return queryOptions({
    queryKey: keys.ownShares(),
    queryFn: async ({ signal }): Promise<readonly OwnShare[]> =>
      v.parse(OwnShareRows, await portal('/api/roleta/mine/shares', { signal })).shares,
  })
}
