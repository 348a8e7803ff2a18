// WAHA's HTTP API as one app. Behind it is the same simulated WhatsApp as behind the Evolution API's.
import { Hono } from 'hono'
import type { Instance, SimulatedState } from '../state.ts'
import type { Files } from './files.ts'
import { unexpected, type Wire } from './handler.ts'
import { crash, refusal, Refusal } from './refusal.ts'
import { sendRoutes } from './sends.ts'
import { sessionRoutes } from './sessions.ts'
import { versionOf } from './shapes.ts'
import { storeRoutes } from './store.ts'

export function createWahaWire(simulated: SimulatedState, apiKey: string, files: Files): Hono {
  const app = new Hono()
  app.onError((error, context) =>
    error instanceof Refusal
      ? Response.json(error.body, { status: error.status })
      : crash(context, error, versionOf(simulated)),
  )
  app.notFound((context) => {
    throw refusal(404, `Cannot ${context.req.method} ${context.req.path}`)
  })
  app.use(async (_, next) => (simulated.isDown ? new Response('upstream away', { status: 503 }) : next()))
  app.get('/ping', (context) => context.json({ message: 'pong' }))
  app.use(async (context, next) => {
    if (context.req.header('x-api-key') !== apiKey) throw refusal(401, 'Unauthorized')
    await next()
  })
  app.get('/api/server/version', (context) => context.json(versionOf(simulated)))
  const wire: Wire = { simulated, files, sessionOf, usedOf, workingOf }
  sessionRoutes(app, wire)
  sendRoutes(app, wire)
  storeRoutes(app, wire)
  return app

  function sessionOf(name: unknown): Instance {
    const found = simulated.instances.get(String(name))
    if (found === undefined) throw refusal(404, 'Session not found')
    return found
  }

  function usedOf(name: unknown): Instance {
    const found = simulated.instances.get(String(name))
    if (found) return found
    throw new Refusal(422, { error: `Session "${String(name)}" does not exist`, session: name })
  }

  async function workingOf(name: unknown): Promise<Instance> {
    if (typeof name !== 'string') throw refusal(400, 'Session name is required')
    const found = simulated.instances.get(name)
    if (found?.state === 'open') return found
    await simulated.clock.sleep(found === undefined || found.isStopped ? 5_000 : 10_000)
    throw unexpected(usedOf(name), 'WORKING')
  }
}
