// POST /api/messages/:id/media answers a signed address, GET /api/media/:id serves the file.
import { Hono } from 'hono'
import type { MediaStore, StoredMedia } from '#server/storage/media-store.ts'
import type { MediaLink, MediaLinks } from './media-link.ts'
import type { FoundMedia } from './media.ts'

type Asking = { accountId: string; sessionId: string }

/** Types that a browser may show within our pages, with one plain parameter; others are only downloads. */
const SHOWN =
  /^(image\/(jpeg|png|webp|gif)|video\/(mp4|webm|3gpp)|audio\/(ogg|mpeg|mp4|aac|amr|webm|wav))(; ?[a-z]+=[\w.-]+)?$/
const RANGE = /^bytes=(\d+)-(\d*)$/

export function createMediaRoutes<Member extends Asking>(parts: {
  links: MediaLinks
  storage: MediaStore
  memberOf: (request: Request) => Promise<Member>
  find: (member: Member, messageId: number) => Promise<FoundMedia>
  /** Tells whether the session of an address is still live. */
  isAlive: (link: MediaLink) => Promise<boolean>
}): { messages: Hono; media: Hono } {
  const messages = new Hono()
  messages.post('/:id{[0-9]{1,15}}/media', async (context) => {
    const member = await parts.memberOf(context.req.raw)
    const found = await parts.find(member, Number(context.req.param('id')))
    const { mediaId, mimeType, fileName, sizeBytes } = found
    const { sessionId, accountId } = member
    const url = parts.links.make({ mediaId, sessionId, accountId, mimeType, fileName })
    return context.json({ url, mimeType, fileName, sizeBytes }, 200, { 'cache-control': 'no-store' })
  })

  const media = new Hono()
  media.get('/:id', async (context) => {
    const link = parts.links.read(context.req.param('id'), new URL(context.req.url).searchParams)
    const stored = link && (await parts.isAlive(link)) ? await parts.storage.find(link.mediaId) : null
    return link && stored
      ? serve(link, stored, context.req.header('range'))
      : context.json(
          { error: { code: 'media.unknown', message: 'Mídia não encontrada ou endereço vencido.' } },
          404,
          { 'cache-control': 'no-store' },
        )
  })
  return { messages, media }
}

function serve(link: MediaLink, stored: StoredMedia, wanted: string | undefined): Response {
  const isShown = SHOWN.test(link.mimeType)
  const headers = new Headers({
    'content-type': isShown ? link.mimeType : 'application/octet-stream',
    'content-disposition': `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(link.fileName)}`,
    'cache-control': 'private, max-age=600',
    'accept-ranges': 'bytes',
  })
  const range = rangeOf(wanted, stored.sizeBytes)
  if (!range) {
    headers.set('content-length', String(stored.sizeBytes))
    return new Response(stored.read(), { headers })
  }
  if (range.start >= stored.sizeBytes) {
    headers.set('content-range', `bytes */${stored.sizeBytes}`)
    return new Response(null, { status: 416, headers })
  }
  headers.set('content-range', `bytes ${range.start}-${range.end}/${stored.sizeBytes}`)
  headers.set('content-length', String(range.end - range.start + 1))
  return new Response(stored.read(range), { status: 206, headers })
}

function rangeOf(wanted: string | undefined, sizeBytes: number): { start: number; end: number } | null {
  const [, start, end] = RANGE.exec(wanted ?? '') ?? []
  if (start === undefined) return null
  const last = end ? Math.min(Number(end), sizeBytes - 1) : sizeBytes - 1
  return Number(start) > last && Number(start) < sizeBytes ? null : { start: Number(start), end: last }
}
