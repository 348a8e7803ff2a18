// A server on this machine that a test's portal may fetch from, as if it were another system's.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Answering = (request: IncomingMessage, response: ServerResponse) => void

/** `answer` may be replaced while it runs; `asked` are the requests so far, as 'GET /path'. */
export async function openLoopback() {
  const loopback = {
    answer: ((_, response) => response.writeHead(404).end()) as Answering,
    asked: [] as string[],
    url: '',
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer((request, response) => {
    loopback.asked.push(`${request.method} ${request.url}`)
    loopback.answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  loopback.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return loopback
}
