// Security headers: own code only, no frames, no sniffing, no caching, HTTPS only.
import type { MiddlewareHandler } from 'hono'

/**
 * The chart library writes one style element into the page, always with this text; none of its options leaves it out.
 */
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
  "require-trusted-types-for 'script'",
  // Made by src/ui/trusted-types.ts, src/app/chunk-loader.ts, src/app/show-snapshot.ts and src/ui/charts/clean-chart.ts.
  'trusted-types default chunks saved-page chart',
].join('; ')
/** The microphone is for voice messages. */
const PERMISSIONS = 'camera=(), geolocation=(self), microphone=(self), payment=(), usb=()'

/** Data are never shown as a page, so a short policy suffices and small answers stay below 1 kB. */
const DATA = /^(application\/(vnd\.pgrst\.\w+\+)?json|text\/csv)/
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
/** Parts of a page follow the page's policy; only a worker script uses this one. */
const PART = /^(text\/(javascript|css)|font\/)/
const PART_POLICY = "default-src 'self'"

/** Half a year, without subdomains, which may not be ours. */
const ONLY_HTTPS = 'max-age=15552000'

/** Makes the headers of every answer. There are no CORS headers: other origins have no access. */
export function secureHeaders(publicUrl: string | undefined): MiddlewareHandler {
  const isHttps = publicUrl?.startsWith('https://') ?? false
  return async (context, next) => {
    await next()
    const { headers } = context.res
    const kind = headers.get('content-type') ?? ''
    const isData = DATA.test(kind)
    const isPart = PART.test(kind)
    // A public page brings its own, stricter one.
    if (!headers.has('content-security-policy'))
      headers.set('content-security-policy', isData ? DATA_POLICY : isPart ? PART_POLICY : POLICY)
    headers.set('x-content-type-options', 'nosniff')
    // Answers belong to one person and moment, so they are not cached by default.
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
