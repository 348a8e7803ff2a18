// Limits of connections: how long and how slowly a client may send, and how many may be connected.
import { getRequestListener } from '@hono/node-server'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '#server/clock.ts'

export type SocketLimits = {
  /** The limit for the head of a request, from its first byte. */
  headMs: number
  /** The limit for a whole request: enough for the largest file on a slow line. */
  requestMs: number
  /** A body that takes longer than `patienceMs` must have brought this many bytes a second. */
  patienceMs: number
  leastBytesPerSecond: number
  /** How often the server checks the open connections. */
  pollEveryMs: number
  /** Maximum open connections; further ones are closed, existing ones kept. */
  connections: number
}

export const SOCKET_LIMITS: SocketLimits = {
  headMs: 15_000,
  requestMs: 300_000,
  patienceMs: 30_000,
  leastBytesPerSecond: 250,
  pollEveryMs: 5_000,
  connections: 4_000,
}

type Options = { fetch: Parameters<typeof getRequestListener>[0]; clock: Clock; limits: SocketLimits }

/** A server that does not listen yet. */
export function openServer({ fetch, clock, limits }: Options): Server {
  const answer = getRequestListener(fetch)
  const server = createServer(
    {
      headersTimeout: limits.headMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.pollEveryMs,
    },
    (request, response) => void answer(request, response),
  )
  server.maxConnections = limits.connections
  cutDrips(server, clock, limits)
  return server
}

/** Closes connections that send single bytes now and then. */
function cutDrips(server: Server, clock: Clock, limits: SocketLimits) {
  const coming = new Map<IncomingMessage, { sinceMs: number; bytesBefore: number }>()
  /** Bytes of each connection when its last request ended. */
  const brought = new WeakMap<Socket, number>()
  server.on('request', (request: IncomingMessage) => {
    const { socket } = request
    coming.set(request, { sinceMs: clock.now(), bytesBefore: brought.get(socket) ?? 0 })
    request.once('close', () => {
      brought.set(socket, socket.bytesRead)
      coming.delete(request)
    })
  })
  const stop = clock.every(limits.pollEveryMs, () => {
    for (const [request, { sinceMs, bytesBefore }] of coming) {
      const forMs = clock.now() - sinceMs
      const bytes = request.socket.bytesRead - bytesBefore
      const isDripping = bytes < (limits.leastBytesPerSecond * forMs) / 1000
      if (request.complete) coming.delete(request)
      else if (forMs > limits.patienceMs && isDripping) request.socket.destroy()
    }
  })
  server.once('close', stop)
}
