// A weak signal between a browser and the portal: a proxy that delays, narrows, holds or cuts what passes, for any browser
// and its service worker alike.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type Signal = {
  /** There and back. */
  rttMs: number
  /** Each way, shared by all connections. */
  kbitPerSecond: number
}

const STRONG: Signal = { rttMs: 0, kbitPerSecond: Infinity }
/** A lift, a basement garage. */
export const LIFT: Signal = { rttMs: 1_000, kbitPerSecond: 50 }

/** So long a piece of a stream takes its turn. */
const PIECE_BYTES = 512

export type WeakSignal = Awaited<ReturnType<typeof startWeakSignal>>

/** Stands before the portal at `target` and looks like it. */
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
    /** Nothing passes any more, either way; nobody is told. */
    hold: () => void (state.held ??= []),
    /** All that was held passes. */
    release: () => {
      const held = state.held ?? []
      state.held = null
      held.forEach((pass) => pass())
    },
    /** Connections break, and no new one comes about. */
    cut: () => {
      state.isCut = true
      dropAll()
    },
    mend: () => void (state.isCut = false),
    /** What the portal's answers have brought to the browser so far. */
    answeredBytes: () => state.answeredBytes,
    stop: async () => {
      dropAll()
      server.close()
      await once(server, 'close')
    },
  }
}

type LaneState = { signal: Signal; held: (() => void)[] | null }

/** One direction: pieces leave in order, one after the other at the line's pace, and arrive half a round trip later. */
function createLane(state: LaneState) {
  let freeAtMs = 0
  const onTheWay: (() => void)[] = []
  // Timers may fire in another order than they were set; what arrives is always the first that left.
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
