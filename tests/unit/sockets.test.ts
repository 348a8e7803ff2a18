// Slow and many connections: dripping headers and bodies are cut, floods are limited, weak signals are tolerated.
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openServer, SOCKET_LIMITS, type SocketLimits } from '#server/http/sockets.ts'
import { manualClock } from '#tests/support/clock.ts'

const BODY_BYTES = 20_000
const HEAD = `POST / HTTP/1.1\r\nhost: portal.test\r\ncontent-length: ${BODY_BYTES}\r\n\r\n`
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A server that reads each body completely and answers its length, when allowed. */
async function open(limits: Partial<SocketLimits> = {}) {
  const clock = manualClock()
  const begun = signal()
  const read = signal()
  const mayAnswer = signal()
  mayAnswer.give()
  const server = openServer({
    clock,
    limits: { ...SOCKET_LIMITS, ...limits },
    fetch: async (request) => {
      begun.give()
      const { length } = await request.text()
      read.give()
      await mayAnswer.given
      return new Response(String(length))
    },
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  const dial = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
      .on('error', () => undefined)
      .resume()
    closing.unshift(() => socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  return { clock, server, dial, begun: begun.given, read: read.given, mayAnswer }
}

function signal() {
  let give = () => undefined as void
  const given = new Promise<void>((resolve) => (give = resolve))
  return { given, give: () => give() }
}

const answerOf = async (socket: Socket) => String((await once(socket, 'data'))[0]).split('\r\n')[0]

test('endless headers are answered with 408 and closed', async () => {
  const { dial } = await open({ headMs: 50, pollEveryMs: 10 })
  const socket = await dial()
  const closed = once(socket, 'close')
  socket.write('GET / HTTP/1.1\r\nhost: portal.test\r\nx-slow: ')
  expect(await answerOf(socket)).toBe('HTTP/1.1 408 Request Timeout')
  await closed
})

test('a whole request has a time limit, too', async () => {
  const { dial } = await open({ headMs: 50, requestMs: 60, pollEveryMs: 10 })
  const socket = await dial()
  const closed = once(socket, 'close')
  socket.write(HEAD + 'x')
  await closed
  expect(socket.destroyed).toBe(true)
})

test('a dripping body is cut after its limit', async () => {
  const { dial, clock, begun } = await open()
  const socket = await dial()
  const closed = once(socket, 'close')
  socket.write(HEAD + 'x')
  await begun
  clock.advance(SOCKET_LIMITS.patienceMs)
  expect(socket.destroyed).toBe(false)
  clock.advance(SOCKET_LIMITS.pollEveryMs)
  await closed
})

test('a weak signal that steadily sends a little is tolerated', async () => {
  const { dial, clock, begun, server } = await open()
  const arriving = new Promise<Socket>((resolve) => server.once('connection', resolve))
  const socket = await dial()
  const arrived = await arriving
  const half = BODY_BYTES / 2
  socket.write(HEAD + 'x'.repeat(half))
  await begun
  while (arrived.bytesRead < HEAD.length + half) await new Promise((resolve) => setImmediate(resolve))
  clock.advance(SOCKET_LIMITS.patienceMs + SOCKET_LIMITS.pollEveryMs)
  socket.write('x'.repeat(half))
  expect(await answerOf(socket)).toBe('HTTP/1.1 200 OK')
})

test('a complete request may wait for its answer, however long', async () => {
  const { dial, clock, read, mayAnswer } = await open()
  Object.assign(mayAnswer, signal())
  const socket = await dial()
  socket.write(HEAD + 'x'.repeat(BODY_BYTES))
  await read
  for (let minute = 0; minute < 10; minute++) clock.advance(60_000)
  mayAnswer.give()
  expect(await answerOf(socket)).toBe('HTTP/1.1 200 OK')
})

test('beyond the maximum, new connections are closed, and open ones continue', async () => {
  const { dial, server } = await open({ connections: 2 })
  const first = await dial()
  await dial()
  const dropped = once(server, 'drop')
  const third = await dial()
  await Promise.all([dropped, once(third, 'close')])
  first.write(HEAD + 'x'.repeat(BODY_BYTES))
  expect(await answerOf(first)).toBe('HTTP/1.1 200 OK')
})
