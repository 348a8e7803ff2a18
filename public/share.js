// Runs in the page that answers a share (service-worker/share.ts, server/http/share.ts), then opens the app. A server's
// page contains what was shared, which is stored here. src/offline/shares.ts reads it.
const CACHE = 'shared'

/** The user of this device, also while the session is over; without an id after 'Sair'. */
function rememberedUser() {
  try {
    const { id, role } = JSON.parse(localStorage.getItem('user') ?? '')
    return { owner: String(id), isAdmin: role === 'admin' }
  } catch {
    return { owner: '', isAdmin: false }
  }
}

const newKey = (/** @type {string} */ owner) =>
  `/shared/${Date.now()}-${crypto.randomUUID()}?owner=${encodeURIComponent(owner)}`

async function keep(/** @type {string} */ owner) {
  const cache = await caches.open(CACHE)
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

/** What was shared while no session was known would open for the next broker of this device. */
async function dropUnowned() {
  const cache = await caches.open(CACHE)
  for (const request of await cache.keys()) if (request.url.endsWith('?owner=')) await cache.delete(request)
}

function say(/** @type {string} */ text) {
  const line = document.querySelector('p')
  if (line) line.textContent = text
}

const { owner, isAdmin } = rememberedUser()
try {
  if (isAdmin) {
    await dropUnowned()
    say(
      'Nada foi guardado: só corretores recebem o que é compartilhado. Entre no portal como corretor e compartilhe de novo.',
    )
  } else {
    await keep(owner)
    location.replace('/broker')
  }
} catch {
  document.body.textContent = 'O aparelho está sem espaço. Libere espaço e compartilhe de novo.'
}
