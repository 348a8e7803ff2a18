// Stores unread what other apps share with the portal, and answers with a page that opens the app. The app shows the
// share at its next start, so nothing is lost if this start fails.
import { registerRoute } from 'workbox-routing'
import { log } from '#api/log.ts'
import { storedClaims } from '#api/stored-session.ts'
import { openingPage, refusedPage, SHARE_PATH } from '#domain/share-page.ts'
import { storeShare } from '#offline/shares.ts'

declare const self: ServiceWorkerGlobalScope

/** Whoever stores a share holds this lock, which all versions of the worker have in common. */
const LOCK = 'share'

export function takeShares() {
  registerRoute(
    ({ url }) => url.pathname === SHARE_PATH,
    ({ request }) => navigator.locks.request(LOCK, { mode: 'shared' }, () => take(request)),
    'POST',
  )
}

/** Lets a new version take over between two shares. During one, the browser would lose the page's next request. */
export async function takeOver(): Promise<void> {
  await navigator.locks.request(LOCK, () => self.skipWaiting())
}

async function take(request: Request): Promise<Response> {
  try {
    const headers = { 'content-type': request.headers.get('content-type') ?? '' }
    const claims = await storedClaims()
    // For other users nothing is stored; the page tells them that only brokers can receive shares.
    if (claims === null || claims.app_metadata.portal_role === 'broker')
      await storeShare(claims?.sub ?? '', new Response(request.body ?? (await request.blob()), { headers }))
  } catch (cause) {
    log.warn('share.not-stored', cause)
    return page(refusedPage('O aparelho está sem espaço. Libere espaço e compartilhe de novo.'))
  }
  // A page instead of a redirect, because a redirect's request hangs while another version of the worker takes over.
  return page(openingPage())
}

const page = (html: string) => new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } })
