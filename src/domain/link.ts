// A broker's WhatsApp link as the screens know it.

export type Link = {
  /** `dead`: the gateway reports the link as open, but sends nothing. */
  state: 'open' | 'dead' | 'connecting' | 'close' | 'unconfigured' | 'unreachable'
  /** The number that was linked last; null if the broker never linked one. */
  number: string | null
  /**
   * The previous number, if the broker has linked another phone. Null once the broker has closed the notice about it.
   */
  replacedNumber: string | null
}

/** The gateway's answer to a request to connect. `waiting`: it has no code yet. */
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

/** True if the app must show the broker a notice about the link. */
export function needsWord({ state, replacedNumber }: Link): boolean {
  return state !== 'open' || replacedNumber !== null
}
