// Routes of instances: create, link, list, delete.
import type { Context, Hono } from 'hono'
import { endLink, openSocket, removeInstance, restart } from '../linking.ts'
import { created, rowOf } from '../rows.ts'
import { bodyOf, type Wire } from './handler.ts'
import { checkBody, isJson, WireError } from './errors.ts'
import { webhookOf } from './webhook.ts'
import { addInstance, type Instance, type Json, type SimulatedState } from '../state.ts'

const CONNECT_WAIT_MS = 2_000
const CREATE_WAIT_MS = 5_000

export function instanceRoutes(app: Hono, wire: Wire) {
  const { simulated, apiKey, instanceOf } = wire
  app.post('/instance/create', async (context) => {
    const body = await bodyOf(context)
    const name = body['instanceName']
    if (typeof name === 'string' && simulated.instances.has(name))
      throw new WireError(403, [`This name "${name}" is already in use.`])
    if (context.req.header('apikey') !== apiKey) throw new WireError(401, 'Unauthorized')
    return context.json(await create(simulated, body), 201)
  })
  app.get('/instance/connect/:name', async (context) =>
    context.json(await connect(simulated, instanceOf(context), context.req.query('number'))),
  )
  app.post('/instance/restart/:name', (context) => {
    const instance = instanceOf(context)
    if (instance.state === 'close')
      return context.json({ error: true, message: `The "${instance.name}" instance is not connected` })
    const shown = offerOf(instance)
    restart(simulated, instance)
    return context.json(shown)
  })
  app.get('/instance/connectionState/:name', (context) => context.json(stateOf(instanceOf(context))))
  app.get('/instance/fetchInstances', (context) => context.json(list(wire, context)))
  app.delete('/instance/logout/:name', (context) => {
    const instance = instanceOf(context)
    if (instance.state === 'close')
      throw new WireError(400, [`The "${instance.name}" instance is not connected`])
    endLink(simulated, instance, 'Intentional Logout')
    return context.json({ status: 'SUCCESS', error: false, response: { message: 'Instance logged out' } })
  })
  app.delete('/instance/delete/:name', (context) => {
    if (!simulated.leaving.has(context.req.param('name'))) removeInstance(simulated, instanceOf(context))
    return context.json({ status: 'SUCCESS', error: false, response: { message: 'Instance deleted' } })
  })
}

const stateOf = ({ name, state }: Instance) => ({ instance: { instanceName: name, state } })
const offerOf = (instance: Instance) => (instance.state === 'open' ? stateOf(instance) : instance.qr)

async function connect(simulated: SimulatedState, instance: Instance, number?: string) {
  if (instance.state === 'close') {
    openSocket(simulated, instance, number ?? null)
    await simulated.clock.sleep(CONNECT_WAIT_MS)
    return instance.qr
  }
  return offerOf(instance)
}

async function create(simulated: SimulatedState, body: Json) {
  checkBody(body, [
    { field: 'instanceName', type: 'string', isRequired: true },
    { field: 'number', type: 'string', pattern: /^\d+[.@\w-]+/, says: 'Invalid format' },
  ])
  if (body['integration'] !== 'WHATSAPP-BAILEYS') throw new WireError(400, ['Invalid integration'])
  const text = (key: string) => {
    const value = body[key]
    return typeof value === 'string' ? value : undefined
  }
  const given = isJson(body['webhook']) ? body['webhook'] : null
  const instance = addInstance(simulated, {
    name: text('instanceName') ?? '',
    token: text('token') ?? simulated.ids.uuid().toUpperCase(),
    number: text('number') ?? null,
    settings: settingsOf(body),
    webhook: given === null ? null : webhookOf(simulated, { enabled: true, ...given }, null),
  })
  simulated.emit(instance, 'instance.create', { instanceName: instance.name, instanceId: instance.id })
  if (body['qrcode'] === true) {
    openSocket(simulated, instance, instance.number)
    await simulated.clock.sleep(CREATE_WAIT_MS)
  }
  return created(instance, body['qrcode'] === true)
}

export function settingsOf(body: Json): Json {
  const flags = ['groupsIgnore', 'alwaysOnline', 'readMessages', 'readStatus', 'syncFullHistory']
  return {
    rejectCall: body['rejectCall'] === true,
    msgCall: '',
    ...Object.fromEntries(flags.map((flag) => [flag, body[flag] === true])),
    wavoipToken: '',
  }
}

/** The global key lists all, a token its own instance; an unknown name or id is refused. */
function list({ simulated, apiKey }: Wire, context: Context) {
  const key = context.req.header('apikey')
  const { instanceName, instanceId, number } = context.req.query()
  const found = [...simulated.instances.values()].filter(
    (instance) =>
      (key === apiKey || key === instance.token) &&
      (instanceName === undefined || instance.name === instanceName) &&
      (instanceId === undefined || instance.id === instanceId) &&
      (number === undefined || instance.number === number),
  )
  if (found.length === 0 && key !== apiKey) throw new WireError(401, 'Unauthorized')
  const asked = instanceName ?? instanceId ?? number
  if (found.length === 0 && asked !== undefined) throw new WireError(404, [`Instance "${asked}" not found`])
  return found.map(rowOf)
}
