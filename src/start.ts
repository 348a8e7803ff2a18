// The page's first script: reads whose device this is and what it shows first, while the app's parts are on their way.
import '#styles/index.css'
import { readSessionAhead } from '#api/session-on-device.ts'
import { showSnapshot } from '#app/show-snapshot.ts'
import { readFirstScreenAhead } from '#offline/first-screen.ts'
import { readUnchangedPage } from '#offline/page-snapshot.ts'
import type { BoardKey } from '#offline/stores.ts'

// Chromium asks once whether to install, maybe before the app is here: kept for src/live/install.ts.
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  Object.assign(window, { installPrompt: event })
})
addEventListener('appinstalled', () => Reflect.deleteProperty(window, 'installPrompt'))

/** As src/data/session.ts keeps it: a hint, never authority. Of a broker's device, whose board it holds. */
function rememberedBroker() {
  try {
    const { id, role, instanceName } = JSON.parse(localStorage.getItem('user') ?? '{}')
    return role === 'broker' ? { owner: String(id), instanceName: String(instanceName) } : null
  } catch {
    return null
  }
}

/** The app begins with what was read: run first, it would keep the page's one thread from hearing of it. */
const BEGINS_WITHIN_MS = 400

const session = readSessionAhead()

/** A broker's page as it was last seen, unless something changed since. */
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
