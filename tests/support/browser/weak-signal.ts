// A weak signal between browser and portal: a proxy that delays, throttles, holds or cuts the traffic, for every
// browser and its service worker.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type Signal = {
  /** Round trip. */
  rttMs: number
  /** The bandwidth in each direction, which all connections share. */
  kbitPerSecond: number
}

const STRONG: Signal = { rttMs: 0, kbitPerSecond: Infinity }
/** The signal in a lift or a basement garage. */
export const LIFT: Signal = { rttMs: 1_000, kbitPerSecond: 50 }

/** Data is sent in pieces of this size, so that connections share the line. */
const PIECE_BYTES = 512

export type WeakSignal = Awaited<ReturnType<typeof startWeakSignal>>

/** A proxy in front of the portal at `target`. */
export async function startWeakSignal(target: string, signal: Signal = STRONG) {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const state = { signal, isCut: false, held: null as (() => void)[] | null, answeredBytes: 0 }
  const [up, down] = [createLane(state), createLane(state)]

  const server = createServer((near) => {
    if (state.isCut) return void near.destroy()
    const far = connect(Number(port), hostname)
    for (const [from, to, lane] of [
      [near, far, up],
      [far, near, down],
    ] as const) {
      sockets.add(from)
      from.setNoDelay(true)
      from.on('data', (bytes) =>
        lane(bytes, (piece) => {
          if (to.destroyed) return
          if (lane === down) state.answeredBytes += piece.length
          to.write(piece)
        }),
      )
      from.once('end', () => lane(Buffer.alloc(0), () => to.end()))
      from.once('error', () => to.destroy())
      from.once('close', () => {
        sockets.delete(from)
        lane(Buffer.alloc(0), () => to.destroy())
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const dropAll = () => sockets.forEach((socket) => void socket.destroy())
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shape: (next: Signal) => void (state.signal = next),
    /** Holds all traffic in both directions, without an error. */
    hold: () => void (state.held ??= []),
    /** Lets all held traffic pass. */
    release: () => {
      const held = state.held ?? []
      state.held = null
      held.forEach((pass) => pass())
    },
    /** Breaks connections, and refuses new ones. */
    cut: () => {
      state.isCut = true
      dropAll()
    },
    mend: () => void (state.isCut = false),
    /** Bytes of the portal's answers that reached the browser so far. */
    answeredBytes: () => state.answeredBytes,
    stop: async () => {
      dropAll()
      server.close()
      await once(server, 'close')
    },
  }
}

type LaneState = { signal: Signal; held: (() => void)[] | null }

/** One direction: pieces leave in order at the line's speed, and arrive half a round trip later. */
function createLane(state: LaneState) {
  let freeAtMs = 0
  const onTheWay: (() => void)[] = []
  // Timers may fire out of order, so the first piece that left always arrives first.
  const arrive = () => {
    const deliver = onTheWay.shift()
    if (!deliver) return
    if (state.held) state.held.push(deliver)
    else deliver()
  }
  return (bytes: Buffer, deliver: (piece: Buffer) => void) => {
    const { rttMs, kbitPerSecond } = state.signal
    for (let from = 0; from === 0 || from < bytes.length; from += PIECE_BYTES) {
      const piece = bytes.subarray(from, from + PIECE_BYTES)
      freeAtMs = Math.max(freeAtMs, Date.now()) + (piece.length * 8) / kbitPerSecond
      onTheWay.push(() => deliver(piece))
      const waitMs = freeAtMs + rttMs / 2 - Date.now()
      if (waitMs > 0 || onTheWay.length > 1) setTimeout(arrive, waitMs)
      else arrive()
    }
  }
}
