// Reports of a link, as every gateway's reader makes them.
import type { Incoming } from '#server/delivery.ts'

type Link = Extract<Incoming, { event: 'link' }>

export const linkEvent = (parts: Partial<Link> & Pick<Link, 'state' | 'rank' | 'atMs'>): Link => ({
  event: 'link',
  reason: null,
  ownerJid: null,
  profileName: null,
  profilePicUrl: null,
  ...parts,
})

export const noMoreCodes = (atMs: number): Incoming => ({
  event: 'qr',
  atMs,
  image: null,
  text: null,
  pairingCode: null,
  count: null,
  isLimit: true,
})
