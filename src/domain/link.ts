// A broker's WhatsApp link as the screens know it.

export type Link = {
  /** `dead`: it says it is open, but nothing goes out. */
  state: 'open' | 'dead' | 'connecting' | 'close' | 'unconfigured' | 'unreachable'
  /** The number linked last; null: never linked. */
  number: string | null
  /** The number linked before a different phone was; null once the broker has seen it. */
  replacedNumber: string | null
}

/** What the portal answers to a wish to connect. `waiting`: the gateway has no code yet. */
export type LinkOffer =
  | { kind: 'open' }
  | {
      kind: 'code'
      /** data: address of the QR code. */
      image: string
      pairingCode: string | null
      /** Which of `limit` codes this is; after the last the gateway makes no more until asked again. */
      count: number
      limit: number
      lifetimeMs: number
    }
  | { kind: 'waiting' }

/** What a broker's area shows first: the app, with or without a word on the link, or the welcome page. */
export type LinkEntry = 'unknown' | 'welcome' | 'app'

/**
 * `hint`: this device saw the link open last. Who was linked once keeps the app, whatever became of the link:
 * nobody loses sight of the leads. `link` is null where it could not be read.
 */
export function entryOf(link: Link | null | undefined, hint: boolean): LinkEntry {
  if (hint || link === null) return 'app'
  if (link === undefined) return 'unknown'
  return link.state === 'open' || link.number !== null ? 'app' : 'welcome'
}

/** Whether the broker in the app is to be told something of the link. */
export function needsWord({ state, replacedNumber }: Link): boolean {
  return state !== 'open' || replacedNumber !== null
}
