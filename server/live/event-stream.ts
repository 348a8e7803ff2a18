// GET /api/events: the live events of the signed-in person, ids only, as server-sent events.
import { Hono } from 'hono'
import type { PortalEvent } from '#domain/events.ts'
import type { Clock } from '#server/clock.ts'
import type { Bus } from './event-bus.ts'

/** Who listens: an administrator hears all, a broker the own instance. */
export type Listener = {
  accountId: string
  isAdmin: boolean
  instanceName: string | null
  expiresAtMs: number
}

const HEARTBEAT_MS = 20_000
/** A reader who takes nothing for so many events is gone; it reads again when it comes back. */
const MAX_WAITING_BYTES = 64_000
/** Of one person: windows in front on every device, and those whose ends have not been noticed yet. */
const MOST_LINES = 24
const encoder = new TextEncoder()
/** Of a portal that stops: another one, or the next, is there by then. */
const COME_BACK = 'retry: 1000\n\n'

type End = (lastWords?: string) => void

/**
 * `identify` answers who asks, now, with the session looked up, or null. It is asked again at each heartbeat, and when
 * a broker hears of the own account, so that a session that ended hears nothing more.
 */
export function createEvents(options: {
  bus: Bus
  clock: Clock
  identify: (request: Request) => Promise<Listener | null>
}): { routes: Hono; count: () => number; stop: () => void } {
  const { bus, clock, identify } = options
  const open = new Map<End, Listener>()
  const linesOf = (accountId: string) =>
    [...open.values()].filter((each) => each.accountId === accountId).length
  let isStopped = false
  const routes = new Hono()
  routes.get('/events', async (context) => {
    const request = context.req.raw
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
    const listener = await identify(request)
    if (!listener)
      return context.json(
        { error: { code: 'session.lost', message: 'Sua sessão expirou. Entre de novo.' } },
        401,
        { 'cache-control': 'no-store' },
      )
    if (linesOf(listener.accountId) >= MOST_LINES)
      return context.json(
        { error: { code: 'events.too-many', message: 'Há janelas demais abertas com este usuário.' } },
        429,
        { 'retry-after': String(HEARTBEAT_MS / 1000), 'cache-control': 'no-store' },
      )
    return new Response(openStream({ bus, clock, open, listener, stillThere: () => identify(request) }), {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
    })
  })
  return {
    routes,
    count: () => open.size,
    stop: () => {
      isStopped = true
      open.forEach((_, end) => end(COME_BACK))
    },
  }
}

function openStream(options: {
  bus: Bus
  clock: Clock
  /** The ends of all streams that are open, and whose they are. */
  open: Map<End, Listener>
  listener: Listener
  stillThere: () => Promise<Listener | null>
}): ReadableStream<Uint8Array> {
  const { bus, clock, open, listener, stillThere } = options
  const stops: (() => void)[] = []
  const leave = () => stops.splice(0).forEach((stop) => stop())

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = (lastWords?: string) => {
          if (stops.length === 0) return
          leave()
          if (lastWords !== undefined) controller.enqueue(encoder.encode(lastWords))
          controller.close()
        }
        const write = (text: string) => {
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(text))
          else end()
        }
        const tell = (event: PortalEvent) => write(`data: ${JSON.stringify(event)}\n\n`)
        const endWithSession = () =>
          void stillThere().then(
            (found) => found ?? end(),
            () => end(),
          )
        open.set(end, listener)
        stops.push(
          () => open.delete(end),
          bus.subscribe((event) => {
            if (!mayHear(listener, event)) return
            tell(event)
            if (event.kind === 'brokers' && !listener.isAdmin) endWithSession()
          }),
          clock.every(HEARTBEAT_MS, () => {
            if (clock.now() >= listener.expiresAtMs) return end()
            write(': vivo\n\n')
            endWithSession()
          }),
        )
        // Whatever changed between the page's last read and now is read again.
        tell({ kind: 'gap' })
      },
      cancel: leave,
    },
    { highWaterMark: MAX_WAITING_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  )
}

const mayHear = (listener: Listener, event: PortalEvent) =>
  event.kind === 'gap' ||
  listener.isAdmin ||
  ('instanceName' in event && event.instanceName === listener.instanceName)
