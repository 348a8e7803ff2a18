// What rotations offer the signed-in broker: leads to accept, the bolsão (a pool of leads), the broker's pause and
// share.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { keys } from '#data/keys.ts'

const timeMs = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
)
/** 'infinity' means until the broker resumes. */
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
  /** Missing in responses of older portals. */
  hasTeam: v.optional(v.boolean(), false),
  now: timeMs,
})

/** A lead to accept, with all that is known before. Times are in the device's clock, even if it is wrong. */
export type Offer = {
  id: number
  firstName: string | null
  development: string | null
  offeredAtMs: number
  expiresAtMs: number
}
/** A lead that any broker of the rotation may take. */
export type Pooled = { id: number; firstName: string | null; development: string | null; sinceMs: number }
export type Offers = {
  offers: readonly Offer[]
  pool: readonly Pooled[]
  /** Infinity: until resumed; null: not paused. */
  pausedUntilMs: number | null
  /** The broker is in a team (src/data/passes.ts). */
  hasTeam: boolean
}

/** Live events report each offer; this interval is for a dead stream that was not noticed. */
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
 * Returns the lead that is the broker's now, which is on the board by then. Repeating an operation id has no further
 * effect. Throws PortalError `offer.expired`, `offer.gone`, `offer.unknown`.
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

/** Pauses new leads until then; Infinity: until resumed; null: resumes. */
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
      /** The sum of `why`. */
      leads: v.optional(v.number(), 0),
      why: v.array(v.string()),
    }),
  ),
})

/** What the broker got of a rotation in the last 30 days, out of how many, and why not more. */
export type OwnShare = v.InferOutput<typeof OwnShareRows>['shares'][number]

/** Empty for a broker in no rotation. */
export function ownSharesQuery() {
  return queryOptions({
    queryKey: keys.ownShares(),
    queryFn: async ({ signal }): Promise<readonly OwnShare[]> =>
      v.parse(OwnShareRows, await portal('/api/roleta/mine/shares', { signal })).shares,
  })
}
