// A simulated WhatsApp gateway: its HTTP API on loopback, its webhooks, its faults and, for the
// demonstration, its people.
import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Clock } from '#server/clock.ts'
import { createControl, type Control } from './control.ts'
import { createControlWire } from './control-wire.ts'
import { startLeads, type LeadsOptions } from './leads.ts'
import { linkSilently } from './linking.ts'
import { createDeliveries, evolutionForm, type Post } from './webhooks.ts'
import { settingsOf } from './wire/instances.ts'
import { webhookOf } from './wire/webhook.ts'
import { createWire } from './wire/wire.ts'
import {
  addInstance,
  createSimulatedState,
  type Instance,
  type SimulatedState,
  type Version,
} from './state.ts'
import { createWahaForm } from './waha/events.ts'
import { createFiles } from './waha/files.ts'
import { addSession } from './waha/sessions.ts'
import { createWahaWire } from './waha/wire.ts'

export type SimulatorOptions = {
  clock: Clock
  /** Whose API it speaks: the Evolution API's by default. */
  speaks?: 'evolution' | 'waha'
  version?: Version
  /** The global key. Undefined: a random one. */
  apiKey?: string
  /** Offset of the server's zone, whose local time the gateway calls UTC; its image is set to São Paulo. */
  zoneMinutes?: number
  /** Sends webhooks; fetch by default. */
  post?: Post
}

const SAO_PAULO_MINUTES = -180

/**
 * An instance that was linked before the simulator began, as a real gateway keeps it over a restart of the
 * portal.
 */
export type Linked = {
  instanceName: string
  instanceId?: string
  token: string
  /** Null: no webhook. */
  webhookUrl: string | null
  phone: { number: string; name: string }
  /** WAHA's configuration of the session. */
  config?: object
}

export type Simulator = {
  apiKey: string
  control: Control
  /** The API without a socket, for a client in the same process. */
  fetch: (url: string, init: RequestInit) => Promise<Response>
  adopt(linked: Linked): void
  /** The texts that were sent to WhatsApp. A text that was sent twice is listed twice. */
  sentTexts(instanceName: string): string[]
  /** Starts the demonstration's people, until `stop`. */
  startLeads(options: LeadsOptions): void
  /** Cancels everything scheduled. A simulator that listens also closes its ports. */
  stop(): Promise<void>
}

/** `control` opens the faults on a separate port, for another process. */
export type ListenOptions = { port?: number; control?: { port?: number } }
export type ListeningSimulator = Simulator & { url: string; controlUrl: string | null }

const LOOPBACK = '127.0.0.1'

export const createSimulator = (options: SimulatorOptions): Simulator => build(options).simulator

/** Serves a simulator on loopback; port 0 takes any free port. */
export async function startSimulator(
  options: SimulatorOptions,
  { port = 0, control }: ListenOptions = {},
): Promise<ListeningSimulator> {
  const { simulator, wire, place } = build(options)
  const main = await listen(wire, port)
  const side = control && (await listen(createControlWire(simulator.control), control.port ?? 0))
  place.url = main.url
  return {
    ...simulator,
    url: main.url,
    controlUrl: side?.url ?? null,
    async stop() {
      await simulator.stop()
      await Promise.all([main.close(), side?.close()])
    },
  }
}

function build(options: SimulatorOptions) {
  const { clock, speaks = 'evolution', apiKey = randomUUID(), post = postByFetch } = options
  const { zoneMinutes = SAO_PAULO_MINUTES } = options
  const { version = speaks === 'waha' ? '2026.7.1' : '2.3.7' } = options
  const ending = new AbortController()
  const { signal } = ending
  // Every scheduled action listens to this signal.
  setMaxListeners(0, signal)
  const place = { url: 'http://simulator' }
  const files = createFiles({ clock })
  const form =
    speaks === 'waha'
      ? createWahaForm(() => simulated, files)
      : evolutionForm({ clock, zoneMinutes, serverUrl: () => place.url })
  const deliveries = createDeliveries({ clock, post, signal, form })
  const simulated: SimulatedState = createSimulatedState({ clock, version, signal, emit: deliveries.emit })
  const wire = speaks === 'waha' ? createWahaWire(simulated, apiKey, files) : createWire(simulated, apiKey)
  const simulator: Simulator = {
    apiKey,
    control: createControl(simulated, deliveries),
    fetch: async (url, init) => wire.fetch(new Request(url, init)),
    adopt(linked) {
      const instance = speaks === 'waha' ? adoptSession(simulated, linked) : adoptInstance(simulated, linked)
      if (linked.instanceId !== undefined) instance.id = linked.instanceId
      linkSilently(instance, linked.phone)
    },
    sentTexts: (name) =>
      (simulated.instances.get(name)?.messages ?? [])
        .filter(({ key }) => key.fromMe)
        .flatMap(({ content }) => Object.values(content ?? {}).filter((value) => typeof value === 'string')),
    startLeads: (options) => startLeads(simulated, options, signal),
    stop() {
      ending.abort()
      return Promise.resolve()
    },
  }
  return { simulator, wire, place }
}

function adoptInstance(
  simulated: SimulatedState,
  { instanceName, token, webhookUrl: url }: Linked,
): Instance {
  const given = { enabled: true, url, events: [], base64: true }
  return addInstance(simulated, {
    name: instanceName,
    token,
    number: null,
    settings: settingsOf({ groupsIgnore: true }),
    webhook: url === null ? null : webhookOf(simulated, given, null),
  })
}

const adoptSession = (simulated: SimulatedState, { instanceName, config = {} }: Linked): Instance =>
  addSession(simulated, instanceName, config)

const POST_TIMEOUT_MS = 30_000

const postByFetch: Post = async (url, init) => {
  const signal = AbortSignal.timeout(POST_TIMEOUT_MS)
  const response = await fetch(url, { method: 'POST', redirect: 'manual', signal, ...init })
  await response.arrayBuffer()
  return response.status
}

function listen(app: Hono, port: number): Promise<{ url: string; close(): Promise<void> }> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, port, hostname: LOOPBACK }, ({ port: taken }: AddressInfo) =>
      resolve({ url: `http://${LOOPBACK}:${taken}`, close }),
    )
    server.once('error', reject)
    const close = () =>
      new Promise<void>((closed) => {
        server.close(() => closed())
        if ('closeAllConnections' in server) server.closeAllConnections()
      })
  })
}
