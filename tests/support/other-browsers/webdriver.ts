// A W3C WebDriver session, with its errors: over fetch, or over another way to send its requests.

/** A reference to an element of the page. */
export type NodeRef = { [ELEMENT]: string }

/** https://www.w3.org/TR/webdriver2/#elements */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

type ToWire<T> = T extends Element ? NodeRef : T extends object ? { [K in keyof T]: ToWire<T[K]> } : T
type FromWire<T> = T extends NodeRef ? Element : T extends object ? { [K in keyof T]: FromWire<T[K]> } : T

export class DriverError extends Error {
  /** https://www.w3.org/TR/webdriver2/#errors */
  readonly code: string
  constructor(code: string, message: string) {
    super(`${code}: ${message}`)
    this.code = code
  }
}

export type Driver = ReturnType<typeof driverOver>
export type Send = (method: 'GET' | 'POST' | 'DELETE', route: string, body?: object) => Promise<unknown>

export async function openDriver(address: string, binary: string) {
  const capabilities = {
    alwaysMatch: { 'webkitgtk:browserOptions': { binary, args: ['--automation', '--full-screen'] } },
  }
  const { sessionId } = (await request('POST', `${address}/session`, { capabilities })) as {
    sessionId: string
  }
  const session = `${address}/session/${sessionId}`
  const send: Send = (method, route, body = {}) => request(method, session + route, body)
  return driverOver(send, () => send('DELETE', ''))
}

export function driverOver(send: Send, close: () => Promise<unknown>) {
  return {
    send,
    /** A request about one element. */
    sendTo: (node: NodeRef, route: string, body?: object) =>
      send('POST', `/element/${node[ELEMENT]}${route}`, body),
    /** Runs a self-contained function in the page and returns its awaited result, elements as references. */
    run: async <Args extends unknown[], Result>(
      work: (...args: FromWire<Args>) => Result,
      ...args: Args
    ): Promise<ToWire<Awaited<Result>>> =>
      (await send('POST', '/execute/sync', {
        script: `return (${work.toString()})(...arguments)`,
        args,
      })) as ToWire<Awaited<Result>>,
    close,
  }
}

async function request(method: string, url: string, body: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    ...(method === 'POST'
      ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      : {}),
  })
  const { value } = (await response.json()) as { value: { error?: string; message?: string } | null }
  if (!response.ok) throw new DriverError(value?.error ?? String(response.status), value?.message ?? '')
  return value
}
