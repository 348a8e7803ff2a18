// Stores what other apps share with the portal, unread, and answers with a page that opens the app. The app shows it
// at its next start, so that nothing is lost if the start fails.
import { registerRoute } from 'workbox-routing'
import { log } from '#api/log.ts'
import { storedClaims } from '#api/stored-session.ts'
import { openingPage, refusedPage, SHARE_PATH } from '#domain/share-page.ts'
import { storeShare } from '#offline/shares.ts'

declare const self: ServiceWorkerGlobalScope

/** Held while a share is stored, in this version of the worker or in another one. */
const LOCK = 'share'

export function takeShares() {
  registerRoute(
    ({ url }) => url.pathname === SHARE_PATH,
    ({ request }) => navigator.locks.request(LOCK, { mode: 'shared' }, () => take(request)),
    'POST',
  )
}

/** A new version takes over between two shares: with a page in flight, the browser would lose its next request. */
export async function takeOver(): Promise<void> {
  await navigator.locks.request(LOCK, () => self.skipWaiting())
}

async function take(request: Request): Promise<Response> {
  try {
    const headers = { 'content-type': request.headers.get('content-type') ?? '' }
    const claims = await storedClaims()
    // The page tells everybody else that only brokers receive shares.
    if (claims === null || claims.app_metadata.portal_role === 'broker')
      await storeShare(claims?.sub ?? '', new Response(request.body ?? (await request.blob()), { headers }))
  } catch (cause) {
    log.warn('share.not-stored', cause)
    return page(refusedPage('O aparelho está sem espaço. Libere espaço e compartilhe de novo.'))
  }
  // Not a redirect: its request hangs while another version of the worker takes over.
  return page(openingPage())
}

const page = (html: string) => new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } })
