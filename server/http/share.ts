// Answers a share that reaches the server because the device has no service worker yet. The page in the answer contains
// what was shared and stores it on the device; the portal keeps nothing.
import { Hono } from 'hono'
import { openingPage, refusedPage, SHARE_PATH } from '#domain/share-page.ts'
import { statedBytes } from '#server/request-bytes.ts'

/** The largest share that the server accepts: a conversation's largest file, and its form around it. */
const MAX_BYTES = 36 * 1024 * 1024
/** Allows only letters that need no escape in an attribute. */
const FORM = /^multipart\/form-data; ?boundary=[\w'()+,./:=?-]{1,100}$/
/** Marks in the page's template where the shared data go. */
const HOLE = '\0'

export function createShareRoutes(): Hono {
  const routes = new Hono()
  routes.post(SHARE_PATH, (context) => {
    const type = context.req.header('content-type') ?? ''
    const bytes = statedBytes(context.req.raw)
    const { body } = context.req.raw
    // Another site's page may not put anything into this user's app.
    if (context.req.header('sec-fetch-site') === 'cross-site' || !FORM.test(type) || bytes === null || !body)
      return context.html(refusedPage('Não foi possível receber. Abra o portal e compartilhe de novo.'), 400)
    if (bytes > MAX_BYTES)
      return context.html(refusedPage('É grande demais. Abra o portal e compartilhe de novo.'), 413)
    const [before = '', after = ''] = openingPage(
      `<script type="text/plain" id="shared" data-type="${type}">${HOLE}</script>`,
    ).split(HOLE)
    return context.body(body.pipeThrough(toBase64(before, after)), 200, {
      'content-type': 'text/html; charset=utf-8',
    })
  })
  return routes
}

const GROUP_BYTES = 3

/** Encodes as it arrives, so that no share is in memory as a whole. */
function toBase64(before: string, after: string): TransformStream<Uint8Array, Uint8Array> {
  let left = Buffer.alloc(0)
  return new TransformStream({
    start: (sink) => sink.enqueue(Buffer.from(before)),
    transform(chunk, sink) {
      const bytes = Buffer.concat([left, chunk])
      const whole = bytes.byteLength - (bytes.byteLength % GROUP_BYTES)
      left = bytes.subarray(whole)
      if (whole > 0) sink.enqueue(Buffer.from(bytes.subarray(0, whole).toString('base64')))
    },
    flush: (sink) => sink.enqueue(Buffer.from(left.toString('base64') + after)),
  })
}
