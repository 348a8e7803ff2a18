// A phone with the app's outbox over a real server: tabs that are opened, closed and killed, storage that lasts, and a
// network with set faults.
import { AsyncLocalStorage } from 'node:async_hooks'
import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { vi } from 'vitest'

export type Fault =
  | 'none'
  /** The request never reaches the server. */
  | 'dropped'
  /** The server handles it, but its response is lost. */
  | 'unanswered'
  /** The server handles it and its response is lost, but the app notices that only by a timeout. */
  | 'hanging'
  /** A proxy reports that the server is down. */
  | 'away'
  | 'throttled'
  /** A hotel's sign-in page answers instead. */
  | 'captive'
  /** The token has expired and is renewed. */
  | 'expired'

export type Phone = Awaited<ReturnType<typeof openPhone>>
export type Tab = Awaited<ReturnType<Phone['openTab']>>

const ORIGIN = 'http://portal.test'

type PhoneParts = {
  fetchServer: (request: Request) => Promise<Response>
  /** The signed-in user and token. */
  account: { id: string; token: string }
}

export async function openPhone({ fetchServer, account }: PhoneParts) {
  const signedIn = { current: account as PhoneParts['account'] | null }
  const network = { isUp: true }
  const locks = createLocks()
  const faults: Fault[] = []
  /** Requests without an answer. */
  const hanging = new Set<(cause: Error) => void>()
  const requests: string[] = []
  const busy = { requests: 0 }

  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('location', { origin: ORIGIN })
  vi.stubGlobal('BroadcastChannel', createChannel())
  vi.stubGlobal('navigator', {
    get onLine() {
      return network.isUp
    },
    get locks() {
      // Asynchronous work of a tab stays that tab's, through every await.
      return RUNNING.getStore()
    },
  })

  /** The app in a separate tab, or the service worker: fresh modules, the same storage. */
  async function openTab() {
    const life = { isOver: false }
    const never = () => new Promise<never>(() => undefined)
    const send = async (url: URL, init: RequestInit): Promise<Response> => {
      if (life.isOver) return never()
      if (!network.isUp) throw new Error('no network')
      requests.push(url.pathname)
      busy.requests++
      const response = await passThrough(new Request(url, init))
        .finally(() => busy.requests--)
        .catch((cause: unknown) => (life.isOver ? never() : Promise.reject(cause)))
      return life.isOver ? never() : response
    }
    const locksOfTab = locks.open()
    const tokenOf = async (userId: string) => {
      if (life.isOver) return never()
      if (signedIn.current?.id !== userId) return null
      if (faults[0] !== 'expired') return signedIn.current.token
      faults.shift()
      return 'expired'
    }
    vi.resetModules()
    vi.doMock('#api/network.ts', () => ({ send }))
    vi.doMock('#api/stored-session.ts', () => ({
      storedClaims: async () => signedIn.current && { sub: signedIn.current.id },
    }))
    vi.doMock('#api/own-token.ts', () => ({
      tokenOf,
      renewTokenOf: async (userId: string) =>
        signedIn.current?.id === userId ? signedIn.current.token : null,
    }))
    const use = <T>(work: () => T): T => RUNNING.run(locksOfTab.manager, work)
    // Each tab loads its own sending code.
    await (await import('#offline/when-to-send.ts')).loadSending()
    const owner = await import('#offline/owner.ts')
    owner.setOwner(signedIn.current?.id ?? null)
    const app = {
      ...(await import('#data/board/moves.ts')),
      ...(await import('#data/notes.ts')),
      ...(await import('#features/next-step/data.ts')),
      ...(await import('#data/adding.ts')),
      ...(await import('#features/conversation/ground/changes-data.ts')),
      ...(await import('#features/conversation/ground/scheduled-data.ts')),
      plans: await import('#features/conversation/plan/data.ts'),
      ...(await import('#data/visits.ts')),
      privacy: await import('#data/private.ts'),
      passes: await import('#data/passes.ts'),
      ...(await import('#features/conversation/lead/data.ts')),
      ...(await import('#data/operation.ts')),
      ...(await import('#data/read-marks.ts')),
      ...(await import('#offline/outbox.ts')),
      ...(await import('#offline/flush.ts')),
    }
    return {
      app,
      use,
      setOwner: owner.setOwner,
      /** Ends the tab's process: its work stops, its locks are released. */
      kill: () => {
        life.isOver = true
        locksOfTab.close()
      },
    }
  }

  async function passThrough(request: Request): Promise<Response> {
    switch (faults.shift() ?? 'none') {
      case 'dropped':
        throw new Error('dropped')
      case 'unanswered':
        await fetchServer(request)
        throw new Error('unanswered')
      case 'hanging':
        await fetchServer(request)
        busy.requests--
        return new Promise<never>((_, reject) => hanging.add(reject)).finally(() => busy.requests++)
      case 'away':
        return new Response('{}', { status: 503 })
      case 'throttled':
        return new Response('{}', { status: 429, headers: { 'Retry-After': '30' } })
      case 'captive':
        return new Response('<html>Entre na rede do hotel</html>')
      default:
        return fetchServer(request)
    }
  }

  return {
    network,
    faults,
    /** Waits until only hanging work is left. */
    settle: async () => {
      for (let quiet = 0; quiet < 12; quiet = busy.requests === 0 ? quiet + 1 : 0)
        await new Promise((resolve) => setImmediate(resolve))
    },
    requests,
    openTab,
    signIn: (next: PhoneParts['account'] | null) => (signedIn.current = next),
    /** Ends the requests without an answer. */
    timeOut: () => {
      for (const reject of hanging) reject(new Error('timed out'))
      hanging.clear()
    },
  }
}

/**
 * The tab of the running code, one store for all phones: every new promise is reported to each AsyncLocalStorage that
 * ever existed. With
 * one store per phone, the last of a thousand runs took six times as long.
 */
const RUNNING = new AsyncLocalStorage<unknown>()

/** One browser's Web Locks; a closed tab releases its own. */
function createLocks() {
  type Waiter = { tab: object; run: () => Promise<void>; end: (cause: Error) => void }
  let held: Waiter | null = null
  const queue: Waiter[] = []
  const gone = new Set<object>()
  const next = () => {
    if (held) return
    const waiter = queue.shift()
    if (!waiter) return
    held = waiter
    void waiter.run().finally(() => {
      if (held === waiter) held = null
      next()
    })
  }
  const open = () => {
    const tab = {}
    const request = (_: string, ...rest: [unknown, unknown?]) => {
      const work = (rest[1] ?? rest[0]) as () => unknown
      const isSteal = typeof rest[0] === 'object' && rest[0] !== null && 'steal' in rest[0] && rest[0].steal
      return new Promise((resolve, reject) => {
        if (gone.has(tab)) return
        const run = async () => {
          try {
            resolve(await work())
          } catch (cause) {
            reject(cause)
          }
        }
        const waiter = { tab, run, end: reject }
        if (isSteal) {
          held?.end(new DOMException('stolen', 'AbortError'))
          held = null
          queue.unshift(waiter)
        } else queue.push(waiter)
        next()
      })
    }
    const close = () => {
      gone.add(tab)
      for (const waiter of queue.splice(0)) if (waiter.tab !== tab) queue.push(waiter)
      if (held?.tab === tab) held = null
      next()
    }
    return { manager: { request }, close }
  }
  return { open }
}

function createChannel() {
  const open = new Set<FakeChannel>()
  class FakeChannel extends EventTarget {
    constructor() {
      super()
      open.add(this)
    }
    postMessage() {
      for (const other of open)
        if (other !== this) queueMicrotask(() => other.dispatchEvent(new Event('message')))
    }
  }
  return FakeChannel
}
