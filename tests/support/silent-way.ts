// A TCP relay to a test's Postgres that can fall silent or lead to another server, like firewalls, balancers and power
// cuts.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

type Pair = { near: Socket; far: Socket }

export type SilentWay = Awaited<ReturnType<typeof openSilentWay>>

/** `url` connects to the server of `to` through the relay. */
export async function openSilentWay(to: string) {
  let target = new URL(to)
  let isDeaf = false
  const pairs = new Set<Pair>()
  const silenced = new Set<Socket>()
  let opened = 0

  const server = createServer((near) => {
    opened++
    const far = connect(Number(target.port), target.hostname)
    const pair = { near, far }
    pairs.add(pair)
    if (isDeaf) [near, far].forEach((socket) => silenced.add(socket))
    const pass = (from: Socket, into: Socket) => {
      from.on('data', (bytes) => silenced.has(from) || into.write(bytes))
      from.on('error', () => undefined)
      from.on('close', () => {
        // A silent connection does not report that its other side closed, either.
        if (!silenced.has(from)) into.destroy()
        pairs.delete(pair)
      })
    }
    pass(near, far)
    pass(far, near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(to)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)

  return {
    url: url.href,
    /** How many connections were accepted so far. */
    opened: () => opened,
    /** Drops all bytes of the oldest `most` open connections, both ways. Later connections work. */
    silence: (most = Infinity) =>
      [...pairs]
        .slice(0, most)
        .forEach(({ near, far }) => [near, far].forEach((socket) => silenced.add(socket))),
    /** Whether later connections are silent, too. */
    deafen: (deaf: boolean) => {
      isDeaf = deaf
    },
    /** Later connections lead to that server; open ones stay with theirs. */
    leadTo: (other: string) => {
      target = new URL(other)
    },
    close: async () => {
      pairs.forEach(({ near, far }) => [near, far].forEach((socket) => socket.destroy()))
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
