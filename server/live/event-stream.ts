// GET /api/events: live events of the signed-in person, ids only, as server-sent events.
import { Hono, type MiddlewareHandler } from 'hono'
import type { PortalEvent } from '#domain/events.ts'
import type { Clock } from '#server/clock.ts'
import { sessionLost } from '#server/http/errors.ts'
import type { Bus } from './event-bus.ts'
import { createSessionChecks } from './session-checks.ts'
import { createStreams, written, type Stream, type Listener } from './streams.ts'
import { createPositions } from './positions.ts'

const HEARTBEAT_MS = 20_000
const PROVE_AGAIN_MS = 1_000
/**
 * How many bytes may wait for a client that reads nothing. Beyond that the portal closes the stream, and the client
 * reads everything again when it reconnects.
 */
const MAX_WAITING_BYTES = 64_000
/** Maximum streams of one person: open windows on all devices, and streams whose end was not noticed yet. */
const MAX_STREAMS = 24
/** Maximum positions that a client may name; a page makes fewer reads. */
const MAX_MOMENTS = 40
const encoder = new TextEncoder()
/** Sent by a portal that stops. When the client reconnects, another portal or the next one answers. */
const COME_BACK = encoder.encode('retry: 1000\n\n')
const ALIVE = encoder.encode(': vivo\n\n')

/**
 * `identify` returns the current caller, with the session looked up, or null. All listeners' sessions are
 * checked at each heartbeat, and a broker's when its account changes, so that an ended session gets no more
 * events.
 */
export function createEvents(options: {
  bus: Bus
  clock: Clock
  identify: (request: Request) => Promise<Listener | null>
  /** Tells which of these sessions are live. */
  living: (sessionIds: string[]) => Promise<ReadonlySet<string>>
}): { routes: Hono; count: () => number; stampHeard: MiddlewareHandler; stop: () => void } {
  const { bus, clock, identify, living } = options
  const streams = createStreams()
  const positions = createPositions()
  let isStopped = false
  const sessions = createSessionChecks(streams, living)

  function publish(event: PortalEvent) {
    positions.note(event)
    const words = written(event)
    const hearing = streams.hearing(event).filter(sessions.isProven)
    for (const stream of hearing) stream.write(words)
    // The app opens these streams again, and then hears of the leads that the person may see now.
    if (event.kind === 'teams')
      for (const stream of streams.all())
        if (event.accounts.includes(stream.listener.accountId)) stream.end(COME_BACK)
    if (event.kind === 'brokers') void sessions.endDead(hearing.filter(({ listener }) => !listener.isAdmin))
    // The database was away and answers again, so sessions may have ended meanwhile.
    if (event.kind === 'gap') sessions.proveAgain()
  }

  function beat() {
    const now = clock.now()
    const all = streams.all()
    for (const stream of all)
      if (now >= stream.listener.expiresAtMs) stream.end()
      else stream.write(ALIVE)
    void sessions.endDead(all)
  }

  const stops = [
    bus.subscribe(publish),
    clock.every(HEARTBEAT_MS, beat),
    clock.every(PROVE_AGAIN_MS, sessions.proveAgain),
  ]
  const routes = new Hono()
  routes.get('/events', async (context) => {
    if (isStopped)
      return context.json(
        {
          error: {
            code: 'portal.stopping',
            message: 'O portal está reiniciando. Tente de novo em instantes.',
          },
        },
        503,
        { 'retry-after': '1' },
      )
    const listener = await identify(context.req.raw)
    if (!listener) throw sessionLost()
    if (streams.countOf(listener.accountId) >= MAX_STREAMS)
      return context.json(
        { error: { code: 'events.too-many', message: 'Há janelas demais abertas com este usuário.' } },
        429,
        { 'retry-after': String(HEARTBEAT_MS / 1000), 'cache-control': 'no-store' },
      )
    const since = (context.req.query('since') ?? '').split(',', MAX_MOMENTS).filter(Boolean)
    const isStill = () => positions.isStill(listener, since)
    return new Response(openStream(streams, listener, isStill), {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
    })
  })
  return {
    routes,
    count: () => streams.all().length,
    stampHeard: positions.stamp,
    stop: () => {
      isStopped = true
      for (const stop of stops.splice(0)) stop()
      for (const stream of streams.all()) stream.end(COME_BACK)
    },
  }
}

function openStream(
  streams: ReturnType<typeof createStreams>,
  listener: Listener,
  isStill: () => boolean,
): ReadableStream<Uint8Array> {
  let leave: () => void = () => undefined
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let isOpen = true
        const stream: Stream = {
          listener,
          end: (lastWords) => {
            if (!isOpen) return
            leave()
            if (lastWords !== undefined) controller.enqueue(lastWords)
            controller.close()
          },
          write: (words) => {
            if (!isOpen) return
            if ((controller.desiredSize ?? 0) > 0) controller.enqueue(words)
            else stream.end()
          },
        }
        const remove = streams.add(stream)
        leave = () => {
          isOpen = false
          remove()
        }
        // A 'gap' makes the client read everything again that may have changed since the page's first read.
        stream.write(written({ kind: isStill() ? 'still' : 'gap' }))
      },
      cancel: () => leave(),
    },
    { highWaterMark: MAX_WAITING_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  )
}
