// Brings the app to the front at an address: in an open window without a reload, otherwise in a new window.

declare const self: ServiceWorkerGlobalScope

/** A page that has not answered by then is still loading, so the browser navigates it. */
const ANSWER_WITHIN_MS = 1_000

export async function openPath(path: string): Promise<void> {
  const address = new URL(path, self.location.origin).href
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const front = windows.find(({ focused }) => focused) ?? windows.find(isVisible) ?? windows[0]
  if (!front) {
    await self.clients.openWindow(address)
    return
  }
  // The browser may refuse to focus the window, but the window still goes to the address.
  await front.focus().catch(() => undefined)
  if (!(await hasTaken(front, path)))
    await front.navigate(address).catch(() => self.clients.openWindow(address))
}

const isVisible = ({ visibilityState }: WindowClient) => visibilityState === 'visible'

function hasTaken(page: WindowClient, path: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ANSWER_WITHIN_MS)
    port1.addEventListener('message', () => {
      clearTimeout(timer)
      resolve(true)
    })
    port1.start()
    page.postMessage({ type: 'OPEN', path }, [port2])
  })
}
