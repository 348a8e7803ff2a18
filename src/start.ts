// The page's first script. It reads the device's user and the first screen's data while the app's code loads.
import '#styles/index.css'
import { readSessionAhead } from '#api/session-on-device.ts'
import { showSnapshot } from '#app/show-snapshot.ts'
import { readFirstScreenAhead } from '#offline/first-screen.ts'
import { readUnchangedPage } from '#offline/page-snapshot.ts'
import type { BoardKey } from '#offline/stores.ts'

// Chromium fires this event once, maybe before the app is loaded, so it is kept for src/live/install.ts.
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  Object.assign(window, { installPrompt: event })
})
addEventListener('appinstalled', () => Reflect.deleteProperty(window, 'installPrompt'))

/** Returns the broker whom src/data/session.ts remembers. This is only a hint, never proof of a session. */
function rememberedBroker() {
  try {
    const { id, role, instanceName } = JSON.parse(localStorage.getItem('user') ?? '{}')
    return role === 'broker' ? { owner: String(id), instanceName: String(instanceName) } : null
  } catch {
    return null
  }
}

/**
 * The app starts after these reads, because its code would block the thread that receives them. It waits this long at
 * most.
 */
const BEGINS_WITHIN_MS = 400

const session = readSessionAhead()

/** Shows the last page that the broker saw, unless its data has changed since. */
async function showUnchangedPage(broker: BoardKey): Promise<unknown> {
  const [page, token] = await Promise.all([readUnchangedPage(broker), session])
  return page && token !== null && showSnapshot(page)
}

const broker = rememberedBroker()
const begin = () => {
  if (broker) import('#app/broker-start.ts').catch(() => undefined)
  return import('./main.tsx')
}
void Promise.race([
  broker ? Promise.all([showUnchangedPage(broker), readFirstScreenAhead(broker)]) : session,
  new Promise((resolve) => setTimeout(resolve, BEGINS_WITHIN_MS)),
]).then(begin, begin)
