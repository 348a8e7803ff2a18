// A broker's WhatsApp link as the screens know it.

export type Link = {
  /** `dead`: the gateway reports it open, but nothing goes out. */
  state: 'open' | 'dead' | 'connecting' | 'close' | 'unconfigured' | 'unreachable'
  /** The number linked last; null: never linked. */
  number: string | null
  /** The previous number, after a different phone was linked; null once the broker has seen the notice. */
  replacedNumber: string | null
}

/** Answer to a request to connect. `waiting`: the gateway has no code yet. */
export type LinkOffer =
  | { kind: 'open' }
  | {
      kind: 'code'
      /** data: URL of the QR code. */
      image: string
      pairingCode: string | null
      /** Number of this code, out of `limit`; after the last one the gateway waits for a new request. */
      count: number
      limit: number
      lifetimeMs: number
    }
  | { kind: 'waiting' }

/** First page of a broker: the app, or the welcome page. */
export type LinkEntry = 'unknown' | 'welcome' | 'app'

/**
 * `hint`: this device last saw the link open. A broker who was linked once always gets the app, so that the
 * leads stay reachable. `link` is null if it could not be read.
 */
export function entryOf(link: Link | null | undefined, hint: boolean): LinkEntry {
  if (hint || link === null) return 'app'
  if (link === undefined) return 'unknown'
  return link.state === 'open' || link.number !== null ? 'app' : 'welcome'
}

/** Whether the app shows the broker a notice about the link. */
export function needsWord({ state, replacedNumber }: Link): boolean {
  return state !== 'open' || replacedNumber !== null
}
