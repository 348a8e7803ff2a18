// What the browser may do with our answers: own code only, no frames, no sniffing, no copies, and no way back to an open line.
import type { MiddlewareHandler } from 'hono'

/** The chart library writes one style element into the page, always with this text; none of its options leaves it out. */
export const CHART_STYLE = 'sha256-aSysLrDECVdJ6L+jLf8CC5QKLmwRuk/OZiZk9mYky8A='

const POLICY = [
  "default-src 'self'",
  `style-src 'self' '${CHART_STYLE}'`,
  "img-src 'self' data: blob: https:",
  "media-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')
/** The microphone is for voice messages. */
const PERMISSIONS = 'camera=(), geolocation=(self), microphone=(self), payment=(), usb=()'

/** Data is shown by no window: a short word serves it, so that a move or a refresh stays within 1 kB. */
const DATA = /^(application\/(vnd\.pgrst\.\w+\+)?json|text\/csv)/
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
/** What a page is made of stands under the page's own policy; one script alone is a worker, and asks nobody else either. */
const PART = /^(text\/(javascript|css)|font\/)/
const PART_POLICY = "default-src 'self'"

/** Half a year, of this name alone: what else stands under the domain is not ours to decide. */
const ONLY_HTTPS = 'max-age=15552000'

/** For every answer of a portal under that address. Nothing is open to pages of other origins: there is no word of CORS. */
export function secureHeaders(publicUrl: string | undefined): MiddlewareHandler {
  const isHttps = publicUrl?.startsWith('https://') ?? false
  return async (context, next) => {
    await next()
    const { headers } = context.res
    const kind = headers.get('content-type') ?? ''
    const isData = DATA.test(kind)
    const isPart = PART.test(kind)
    headers.set('content-security-policy', isData ? DATA_POLICY : isPart ? PART_POLICY : POLICY)
    headers.set('x-content-type-options', 'nosniff')
    // Answers are of one person and one moment: what does not say otherwise is kept by nobody.
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
    if (isHttps) headers.set('strict-transport-security', ONLY_HTTPS)
    if (isData) return
    headers.set('cross-origin-resource-policy', 'same-origin')
    if (isPart) return
    headers.set('referrer-policy', 'no-referrer')
    headers.set('cross-origin-opener-policy', 'same-origin')
    headers.set('permissions-policy', PERMISSIONS)
  }
}
