// What the browser may do with our answers: own code only, no frames, no sniffing.
import type { MiddlewareHandler } from 'hono'

const POLICY = [
  "default-src 'self'",
  "img-src 'self' data: blob: https:",
  "media-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Data is shown by no window: a short word serves it, so that a move or a refresh stays within 1 kB (PRODUCT.md 5). */
const DATA = /^(application\/(vnd\.pgrst\.\w+\+)?json|text\/csv)/
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"

export const secureHeaders: MiddlewareHandler = async (context, next) => {
  await next()
  const { headers } = context.res
  const isData = DATA.test(headers.get('content-type') ?? '')
  headers.set('content-security-policy', isData ? DATA_POLICY : POLICY)
  headers.set('x-content-type-options', 'nosniff')
  if (isData) return
  headers.set('referrer-policy', 'no-referrer')
  headers.set('cross-origin-opener-policy', 'same-origin')
  headers.set('permissions-policy', 'camera=(), geolocation=(), payment=(), usb=()')
}
