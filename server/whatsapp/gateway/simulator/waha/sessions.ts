// Routes that create, configure, link and end sessions.
import type { Context, Hono } from 'hono'
import { openSocket, removeInstance } from '../linking.ts'
import { addInstance, type Instance, type Json, type SimulatedState } from '../state.ts'
import { isJson } from '../wire/errors.ts'
import { refusal } from './refusal.ts'
import { sessionOf as shown, statusOf } from './shapes.ts'
import { bodyOf, unexpected, type Wire } from './handler.ts'

const NAME = /^[A-Za-z0-9_-]+$/
const STOPPING_MS = 1_000
const LOGOUT_MS = 2_000
const DEAD_LOGIN_MS = 300

export function sessionRoutes(app: Hono, { simulated, sessionOf, usedOf }: Wire) {
  const named = (context: Context) => sessionOf(context.req.param('name'))
  app.get('/api/sessions', (context) => {
    const all = [...simulated.instances.values()]
    const isAll = context.req.query('all') === 'true'
    return context.json(all.filter((one) => isAll || statusOf(one) !== 'STOPPED').map(shown))
  })
  app.get('/api/sessions/:name', (context) => context.json(shown(named(context))))
  app.post('/api/sessions', async (context) => {
    const { name, start, config } = await bodyOf(context)
    if (typeof name !== 'string' || !NAME.test(name))
      throw refusal(400, ['Session name can only contain alphanumeric characters'])
    if (simulated.instances.has(name))
      throw refusal(422, `Session '${name}' already exists. Use PUT to update it.`)
    const instance = addSession(simulated, name, config)
    if (start === true) openSocket(simulated, instance)
    return context.json(shown(instance), 201)
  })
  app.put('/api/sessions/:name', async (context) => {
    const instance = named(context)
    const { config } = await bodyOf(context)
    instance.settings = settingsOf(config)
    if (statusOf(instance) !== 'STOPPED') await startAgain(simulated, instance)
    return context.json(shown(instance))
  })
  app.delete('/api/sessions/:name', async (context) => {
    const instance = simulated.instances.get(context.req.param('name'))
    if (instance?.isRegistered) await simulated.clock.sleep(LOGOUT_MS)
    if (instance) removeInstance(simulated, instance)
    return context.body(null, 200)
  })
  app.post('/api/sessions/:name/start', (context) => {
    const instance = named(context)
    if (statusOf(instance) === 'STOPPED') openSocket(simulated, instance)
    return context.json(shown(instance), 201)
  })
  app.post('/api/sessions/:name/stop', async (context) => {
    const instance = simulated.instances.get(context.req.param('name'))
    if (!instance) return context.body(null, 201)
    if (!instance.isStopped) await stop(simulated, instance)
    return context.json(shown(instance), 201)
  })
  app.post('/api/sessions/:name/restart', async (context) => {
    const instance = named(context)
    await startAgain(simulated, instance)
    return context.json(shown(instance), 201)
  })
  app.post('/api/sessions/:name/logout', async (context) => {
    const instance = named(context)
    await simulated.clock.sleep(LOGOUT_MS)
    instance.isRegistered = false
    instance.owner = null
    openSocket(simulated, instance)
    return context.json(shown(instance), 201)
  })
  codeRoutes(app, simulated, (context) => usedOf(context.req.param('name')))
}

function codeRoutes(app: Hono, simulated: SimulatedState, named: (context: Context) => Instance) {
  app.get('/api/:name/auth/qr', async (context) => {
    const instance = named(context)
    const { code, base64 = '' } = instance.qr
    if (statusOf(instance) !== 'SCAN_QR_CODE') {
      await simulated.clock.sleep(10_000)
      throw unexpected(instance, 'SCAN_QR_CODE')
    }
    if (context.req.query('format') === 'raw') return context.json({ value: code })
    return context.json({ mimetype: 'image/png', data: base64.replace(/^data:[^,]+,/, '') })
  })
  app.post('/api/:name/auth/request-code', (context) => {
    const instance = named(context)
    if (statusOf(instance) !== 'SCAN_QR_CODE')
      throw refusal(
        422,
        `Can request code only in SCAN_QR_CODE status. The current status is ${statusOf(instance)}`,
      )
    const code = simulated.ids.pairing()
    return context.json({ code: `${code.slice(0, 4)}-${code.slice(4)}` }, 201)
  })
}

export const addSession = (simulated: SimulatedState, name: string, config: unknown): Instance =>
  addInstance(simulated, { name, token: '', number: null, settings: settingsOf(config), webhook: null })

function settingsOf(config: unknown): Json {
  const { ignore } = isJson(config) ? config : {}
  const { groups, status } = isJson(ignore) ? ignore : {}
  return { config: config ?? {}, groupsIgnore: groups === true, readStatus: status !== true }
}

async function stop(simulated: SimulatedState, instance: Instance) {
  await simulated.clock.sleep(STOPPING_MS)
  instance.socket += 1
  instance.state = instance.rowState = 'close'
  instance.qr = { count: 0 }
  instance.isStopped = true
  instance.hasLoggedIn = false
  simulated.emit(instance, 'connection.update', { state: 'close' })
}

/** Restarts a session. If the phone has ended the login, it fails again. */
async function startAgain(simulated: SimulatedState, instance: Instance) {
  await simulated.clock.sleep(STOPPING_MS)
  const isDead = !instance.isRegistered && instance.owner !== null
  openSocket(simulated, instance)
  if (!isDead) return
  const { socket } = instance
  instance.withholdsQr = true
  simulated.later(DEAD_LOGIN_MS, () => {
    instance.withholdsQr = false
    if (instance.socket !== socket) return
    instance.socket += 1
    instance.state = instance.rowState = 'close'
    simulated.emit(instance, 'connection.update', { state: 'close' })
  })
}
