// A broker's WhatsApp link as the screens know it.

export type Link = {
  /** `dead`: the gateway reports the link as open, but sends nothing. */
  state: 'open' | 'dead' | 'connecting' | 'close' | 'unconfigured' | 'unreachable'
  /** The number that was linked last; null if the broker never linked one. */
  number: string | null
  /** WhatsApp lets the number begin no conversation; missing from an older portal. */
  limit?: LinkLimit | null
  /** Another gateway takes the link over; codes are its own. Missing from an older portal. */
  isMoving?: boolean
  /** The previous number, after a different phone was linked; null once the broker has seen the notice. */
  replacedNumber: string | null
}

/** `untilMs`: null if nobody said; `hasNoEnd`: WhatsApp named no end, and the portal counts a day. */
export type LinkLimit = { untilMs: number | null; isQuota: boolean; hasNoEnd: boolean }

/** Answer to a request to connect. `waiting`: the gateway has no code yet. */
export type LinkOffer =
  | { kind: 'open' }
  | {
      kind: 'code'
      /** The QR code as a data: URL. */
      image: string
      pairingCode: string | null
      /**
       * How many codes the gateway has made, this one included. After `limit` codes it makes no more until the portal
       * asks again.
       */
      count: number
      limit: number
      lifetimeMs: number
    }
  | { kind: 'waiting' }

/** Which page a broker sees first: the app, or the welcome page. */
export type LinkEntry = 'unknown' | 'welcome' | 'app'

/**
 * Decides what to show by the broker's link, which is null if it could not be read. `hint` tells whether this device
 * last saw the link open. A broker who was linked once always gets the app, so that the leads stay reachable.
 */
export function entryOf(link: Link | null | undefined, hint: boolean): LinkEntry {
  if (hint || link === null) return 'app'
  if (link === undefined) return 'unknown'
  return link.state === 'open' || link.number !== null ? 'app' : 'welcome'
}

/** Whether the app shows the broker a notice about the link. */
export function needsWord({ state, isMoving, replacedNumber, limit }: Link): boolean {
  return state !== 'open' || isMoving === true || replacedNumber !== null || (limit ?? null) !== null
}
