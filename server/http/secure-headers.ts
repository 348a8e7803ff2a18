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

export const secureHeaders: MiddlewareHandler = async (context, next) => {
  await next()
  const { headers } = context.res
  headers.set('content-security-policy', POLICY)
  headers.set('x-content-type-options', 'nosniff')
  headers.set('referrer-policy', 'no-referrer')
  headers.set('cross-origin-opener-policy', 'same-origin')
  headers.set('permissions-policy', 'camera=(), geolocation=(), payment=(), usb=()')
}
