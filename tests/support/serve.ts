// A small HTTP server of a test.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A server on a free port; its address ends with a slash. `close` also ends open connections. */
export async function serve(answer: RequestListener): Promise<{ url: string; close: () => void }> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The address of a server that is closed at the end of the running test. */
export async function serveInTest(answer: RequestListener): Promise<string> {
  const { url, close } = await serve(answer)
  onTestFinished(close)
  return url
}
