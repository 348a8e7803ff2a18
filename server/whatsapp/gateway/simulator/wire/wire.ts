// The Evolution API's HTTP API as one app: greeting, licence, routes, refusals.
import { Hono } from 'hono'
import { failNextCalls } from './faults.ts'
import { guardedInstance, type Wire } from './handler.ts'
import { WireError } from './errors.ts'
import { instanceRoutes } from './instances.ts'
import { cardRoutes } from './cards.ts'
import { changeRoutes } from './changes.ts'
import { messageRoutes } from './messages.ts'
import { webhookRoutes } from './webhook.ts'
import type { SimulatedState } from '../state.ts'

export function createWire(simulated: SimulatedState, apiKey: string): Hono {
  const app = new Hono()
  app.onError((error) => {
    if (error instanceof WireError) return Response.json(error.body, { status: error.status })
    const body = { status: 500, error: 'Internal Server Error', response: { message: error.message } }
    return Response.json(body, { status: 500 })
  })
  app.notFound((context) => {
    throw new WireError(404, [`Cannot ${context.req.method} ${context.req.path}`])
  })
  app.use(async (_, next) => (simulated.isDown ? new Response('upstream away', { status: 503 }) : next()))
  app.get('/', () => Response.json(welcome(simulated)))
  app.use(async (_, next) => {
    if (simulated.version === '2.4.0' && !simulated.isActivated)
      return Response.json(LICENCE, { status: 503 })
    return next()
  })
  failNextCalls(app, simulated)
  const wire: Wire = {
    simulated,
    apiKey,
    instanceOf: (context) => guardedInstance(simulated, apiKey, context),
  }
  instanceRoutes(app, wire)
  webhookRoutes(app, wire)
  messageRoutes(app, wire)
  cardRoutes(app, wire)
  changeRoutes(app, wire)
  return app
}

const LICENCE = {
  error: 'service not activated',
  code: 'LICENSE_REQUIRED',
  register_url: 'https://evolution.example/register',
}

const welcome = ({ version }: SimulatedState) => ({
  status: 200,
  message: 'Welcome to the Evolution API, it is working!',
  version,
  clientName: 'evolution',
})
