// State of the simulated gateway and of the simulated WhatsApp behind it.
import type { Clock } from '#server/clock.ts'
import type { LinkState } from '#server/gateway.ts'
import { createIds, type Ids } from './ids.ts'
import { createNumbers, type Numbers } from './numbers.ts'

/** Three versions of the Evolution API, then two of WAHA. */
export type Version = '2.3.6' | '2.3.7' | '2.4.0' | '2026.2.1' | '2026.7.1'
export type Json = Readonly<Record<string, unknown>>

export type Webhook = {
  id: string
  url: string
  headers: Readonly<Record<string, string>> | null
  enabled: boolean
  events: readonly string[]
  byEvents: boolean
  base64: boolean
  createdAt: string
  updatedAt: string
}

/** A message; `content` may hold bytes, which webhooks and the store encode differently. */
export type Message = {
  rowId: string
  key: Json & { id: string; remoteJid: string; fromMe: boolean }
  pushName: string | null
  messageType: string
  content: Json | null
  /** The bytes of its file, without prefix. */
  base64: string | null
  contextInfo: Json | null
  sentAtSeconds: number
  source: string
  /** In order of arrival, which may differ from their rank. */
  updates: string[]
}

export type SendEffect =
  | 'not-on-whatsapp'
  | 'timed-out-sent'
  | 'timed-out-unsent'
  | 'closed-400'
  | 'closed-500'
  | 'failed-500'
  | 'slow'
export type CallKind = 'create' | 'webhook' | 'settings' | 'logout' | 'delete'
export type CallEffect = 'no-id' | 'refused-400' | 'closed-500'
export type AckPlan = 'delivered' | 'read' | 'server-only' | 'none' | 'error' | 'reversed'

export type Qr = { count: number; code?: string; base64?: string; pairingCode?: string | null }

export type Instance = {
  id: string
  name: string
  token: string
  number: string | null
  settings: Json
  settingsRow: { id: string; createdAt: string; updatedAt: string }
  webhook: Webhook | null
  /** The webhook's setting, copied when a socket opens. */
  sendsBase64: boolean
  /** The real state in memory; the row may lag behind. */
  state: LinkState
  rowState: LinkState
  /** Number of the current socket; actions scheduled by an older one are void. 0: none since the start. */
  socket: number
  /** The instance is linked to a phone that has not unlinked it. */
  isRegistered: boolean
  owner: { jid: string; name: string } | null
  qr: Qr
  pairingNumber: string | null
  disconnection: { code: number; object: string; at: string } | null
  messages: Message[]
  contacts: Set<string>
  createdAt: string
  updatedAt: string
  /** Reported open while every send fails. */
  isZombie: boolean
  /** Only for WAHA: a call has stopped it. Such a session has not failed. */
  isStopped: boolean
  /** Only for WAHA: the phone has logged in since the socket was opened. */
  hasLoggedIn: boolean
  withholdsQr: boolean
  nextSends: { effect: SendEffect; delayMs: number }[]
  ackPlan: AckPlan
}

export type Emit = (instance: Instance, event: string, data: unknown) => void

export type SimulatedState = {
  version: Version
  /** 2.4 refuses every call until it is activated. */
  isActivated: boolean
  /** The gateway is down, and only the proxy before it answers. */
  isDown: boolean
  nextCalls: { call: CallKind; effect: CallEffect }[]
  clock: Clock
  ids: Ids
  numbers: Numbers
  instances: Map<string, Instance>
  /** Instances in memory whose row was deleted. */
  leaving: Set<string>
  emit: Emit
  /** Runs after the delay unless the simulator has stopped. */
  later(delayMs: number, run: () => void): void
  /** Listeners for the first QR code of a socket. */
  onQr: ((instance: Instance) => void)[]
  /** Listeners for every outgoing message. */
  onSent: ((instance: Instance, message: Message) => void)[]
  nowIso(): string
}

export function createSimulatedState(parts: {
  clock: Clock
  version: Version
  signal: AbortSignal
  emit: Emit
}): SimulatedState {
  const { clock, version, signal, emit } = parts
  return {
    version,
    isActivated: false,
    isDown: false,
    nextCalls: [],
    clock,
    ids: createIds(clock),
    numbers: createNumbers(),
    instances: new Map(),
    leaving: new Set(),
    emit,
    later(delayMs, run) {
      void clock.sleep(delayMs, signal).then(() => signal.aborted || run())
    },
    onQr: [],
    onSent: [],
    nowIso: () => new Date(clock.now()).toISOString(),
  }
}

/** Adds a closed instance. */
export function addInstance(
  simulated: SimulatedState,
  given: Pick<Instance, 'name' | 'token' | 'number' | 'settings' | 'webhook'>,
): Instance {
  const now = simulated.nowIso()
  const instance: Instance = {
    ...given,
    id: simulated.ids.uuid(),
    settingsRow: { id: simulated.ids.row(), createdAt: now, updatedAt: now },
    sendsBase64: false,
    state: 'close',
    rowState: 'close',
    socket: 0,
    isRegistered: false,
    owner: null,
    qr: { count: 0 },
    pairingNumber: null,
    disconnection: null,
    messages: [],
    contacts: new Set(),
    createdAt: now,
    updatedAt: now,
    isZombie: false,
    isStopped: true,
    hasLoggedIn: false,
    withholdsQr: false,
    nextSends: [],
    ackPlan: 'delivered',
  }
  simulated.instances.set(instance.name, instance)
  return instance
}
