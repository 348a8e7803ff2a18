// The page's first script: reads the device's user and the first screen's data while the app's code is loading.
import '#styles/index.css'
import { readSessionAhead } from '#api/session-on-device.ts'
import { showSnapshot } from '#app/show-snapshot.ts'
import { readFirstScreenAhead } from '#offline/first-screen.ts'
import { readUnchangedPage } from '#offline/page-snapshot.ts'
import type { BoardKey } from '#offline/stores.ts'

// Chromium fires it once, maybe before the app is loaded: it is stored for src/live/install.ts.
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  Object.assign(window, { installPrompt: event })
})
addEventListener('appinstalled', () => Reflect.deleteProperty(window, 'installPrompt'))

/** The broker in the hint that src/data/session.ts stores, never proof of a session. */
function rememberedBroker() {
  try {
    const { id, role, instanceName } = JSON.parse(localStorage.getItem('user') ?? '{}')
    return role === 'broker' ? { owner: String(id), instanceName: String(instanceName) } : null
  } catch {
    return null
  }
}

/**
 * Maximum wait for these reads before the app starts. The app starts after them, because its code would block the
 * thread that receives them.
 */
const BEGINS_WITHIN_MS = 400

const session = readSessionAhead()

/** Shows the broker's last page, unless something has changed since. */
async function showUnchangedPage(broker: BoardKey): Promise<unknown> {
  const [page, token] = await Promise.all([readUnchangedPage(broker), session])
  return page && token !== null && showSnapshot(page)
}

const broker = rememberedBroker()
const begin = () => {
  if (broker) import('#app/broker-screens.ts').catch(() => undefined)
  return import('./main.tsx')
}
void Promise.race([
  broker ? Promise.all([showUnchangedPage(broker), readFirstScreenAhead(broker)]) : session,
  new Promise((resolve) => setTimeout(resolve, BEGINS_WITHIN_MS)),
]).then(begin, begin)
