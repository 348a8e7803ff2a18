// The address of a media file for one session and a short time: signed, so that an <img> needs no token.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '#server/clock.ts'

const LIFETIME_MS = 10 * 60_000

export type MediaLink = {
  mediaId: string
  sessionId: string
  accountId: string
  mimeType: string
  fileName: string
}

export type MediaLinks = ReturnType<typeof createMediaLinks>

export function createMediaLinks(secret: string, clock: Clock) {
  const key = createHmac('sha256', secret).update('media-links').digest()
  const sign = (fields: readonly string[]) =>
    createHmac('sha256', key).update(JSON.stringify(fields)).digest('base64url')

  return {
    /** The address, valid for ten minutes while the session lives. */
    make: ({ mediaId, ...link }: MediaLink): string => {
      const fields = {
        exp: String(clock.now() + LIFETIME_MS),
        sid: link.sessionId,
        sub: link.accountId,
        type: link.mimeType,
        name: link.fileName,
      }
      const sig = sign([mediaId, ...Object.values(fields)])
      return `/api/media/${mediaId}?${new URLSearchParams({ ...fields, sig }).toString()}`
    },

    /** The link of an address; null if it was changed, has expired, or is not ours. */
    read: (mediaId: string, query: URLSearchParams): MediaLink | null => {
      const of = (name: string) => query.get(name) ?? ''
      const fields = ['exp', 'sid', 'sub', 'type', 'name'].map(of)
      const expected = Buffer.from(sign([mediaId, ...fields]))
      const given = Buffer.from(of('sig'))
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
      if (Number(of('exp')) < clock.now()) return null
      return {
        mediaId,
        sessionId: of('sid'),
        accountId: of('sub'),
        mimeType: of('type'),
        fileName: of('name'),
      }
    },
  }
}
