// Runs in the page that answers a share (service-worker/share.ts, server/http/share.ts), then opens the app. A server's
// page contains what was shared, which is stored here. src/offline/shares.ts reads it.
const CACHE = 'shared'

/** The user of this device, also while the session is over; '' after 'Sair'. */
function rememberedUser() {
  try {
    return String(JSON.parse(localStorage.getItem('user') ?? '').id)
  } catch {
    return ''
  }
}

const newKey = (/** @type {string} */ owner) =>
  `/shared/${Date.now()}-${crypto.randomUUID()}?owner=${encodeURIComponent(owner)}`

async function keep() {
  const cache = await caches.open(CACHE)
  const owner = rememberedUser()
  const sent = document.querySelector('#shared')
  if (sent instanceof HTMLElement) {
    const bytes = Uint8Array.from(atob(sent.textContent ?? ''), (sign) => sign.codePointAt(0) ?? 0)
    const headers = { 'content-type': sent.dataset['type'] ?? '' }
    await cache.put(newKey(owner), new Response(bytes, { headers }))
  }
  if (owner === '') return
  for (const request of await cache.keys()) {
    const raw = request.url.endsWith('?owner=') && (await cache.match(request))
    if (!raw) continue
    await cache.put(newKey(owner), raw)
    await cache.delete(request)
  }
}

try {
  await keep()
  location.replace('/broker')
} catch {
  document.body.textContent = 'O aparelho está sem espaço. Libere espaço e compartilhe de novo.'
}
