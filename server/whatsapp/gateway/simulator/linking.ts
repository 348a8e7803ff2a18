// The link between an instance and a phone: sockets, QR codes, drops and ends.
import { qrDataUrl } from './media/qr-image.ts'
import type { Instance, SimulatedState } from './state.ts'

const FIRST_QR_MS = 400
const QR_LIFE_MS = 45_000
const MAX_QR_CODES = 30
const REOPEN_MS = 120

/**
 * Opens a socket: a known phone reconnects by itself, otherwise codes are shown. `number` requests a pairing
 * code.
 */
export function openSocket(simulated: SimulatedState, instance: Instance, number: string | null = null) {
  const socket = newSocket(instance)
  instance.hasLoggedIn = false
  instance.state = 'connecting'
  instance.qr = { count: 0 }
  instance.pairingNumber = number
  emitState(simulated, instance)
  if (instance.isRegistered) {
    simulated.later(REOPEN_MS, () => instance.socket === socket && comeOpen(simulated, instance))
  } else {
    simulated.later(FIRST_QR_MS, () => instance.withholdsQr || showQr(simulated, instance, socket))
  }
}

function newSocket(instance: Instance): number {
  instance.socket += 1
  instance.isStopped = false
  // Media in webhooks follows the setting at this moment, not later changes.
  instance.sendsBase64 = instance.webhook?.base64 ?? false
  return instance.socket
}

/** Shows the next code, until a phone scans one or the limit is reached. */
function showQr(simulated: SimulatedState, instance: Instance, socket: number) {
  if (instance.socket !== socket || instance.state !== 'connecting') return
  if (instance.qr.count >= MAX_QR_CODES) return endCodes(simulated, instance)
  const code = simulated.ids.qr()
  const pairingCode = instance.pairingNumber === null ? null : simulated.ids.pairing()
  instance.rowState = 'connecting'
  instance.qr = { pairingCode, code, base64: qrDataUrl(code), count: instance.qr.count + 1 }
  const { count: _, ...qrcode } = instance.qr
  simulated.emit(instance, 'qrcode.updated', { qrcode: { instance: instance.name, ...qrcode } })
  if (instance.qr.count === 1) for (const notify of simulated.onQr) notify(instance)
  simulated.later(QR_LIFE_MS, () => showQr(simulated, instance, socket))
}

/** The database row stays 'connecting'. */
function endCodes(simulated: SimulatedState, instance: Instance) {
  instance.socket += 1
  instance.state = 'close'
  instance.qr = { count: 0 }
  const message = 'QR code limit reached, please login again'
  simulated.emit(instance, 'qrcode.updated', { instance: instance.name, message, statusCode: 500 })
  simulated.emit(instance, 'connection.update', {
    instance: instance.name,
    state: 'refused',
    statusReason: 428,
  })
}

/** The shown code expires and the next one follows. */
export function expireQr(simulated: SimulatedState, instance: Instance) {
  showQr(simulated, instance, newSocket(instance))
}

export function reachQrLimit(simulated: SimulatedState, instance: Instance) {
  if (instance.state === 'connecting') endCodes(simulated, instance)
}

export type Phone = { number: string; name: string }

/** A phone scans the shown code. Returns false if no code is shown. */
export function scan(simulated: SimulatedState, instance: Instance, phone: Phone): boolean {
  if (instance.state !== 'connecting' || instance.qr.count === 0) return false
  register(instance, phone)
  comeOpen(simulated, instance)
  return true
}

function register(instance: Instance, { number, name }: Phone) {
  instance.isRegistered = true
  instance.owner = { jid: `${number}@s.whatsapp.net`, name }
}

function comeOpen(simulated: SimulatedState, instance: Instance) {
  instance.state = instance.rowState = 'open'
  instance.hasLoggedIn = true
  instance.isZombie = false
  instance.qr = { count: 0 }
  instance.updatedAt = simulated.nowIso()
  simulated.emit(instance, 'connection.update', {
    instance: instance.name,
    wuid: instance.owner?.jid,
    profileName: instance.owner?.name,
    state: 'open',
    statusReason: 200,
  })
}

/** Links without events, as if the gateway had kept the link over a restart of the portal. */
export function linkSilently(instance: Instance, phone: Phone) {
  newSocket(instance)
  register(instance, phone)
  instance.state = instance.rowState = 'open'
  instance.hasLoggedIn = true
}

/** Drops the link without reporting a close. Null: the link does not come back. */
export function dropLink(simulated: SimulatedState, instance: Instance, backAfterMs: number | null) {
  if (instance.state !== 'open') return
  const socket = newSocket(instance)
  instance.state = 'connecting'
  emitState(simulated, instance)
  if (backAfterMs !== null)
    simulated.later(backAfterMs, () => instance.socket === socket && comeOpen(simulated, instance))
}

const LOGIN_AGAIN_MS = 3_000

/**
 * Another session replaced this one: each login ends with 440 and restarts, without end. With `opensForMs` it
 * is open for that long each time. The database row says open throughout.
 */
export function refuseLogins(simulated: SimulatedState, instance: Instance, opensForMs: number | null) {
  if (instance.state !== 'open') return
  dropLink(simulated, instance, null)
  const { socket } = instance
  simulated.later(LOGIN_AGAIN_MS, () => {
    if (instance.socket !== socket) return
    if (opensForMs === null) {
      instance.state = 'open'
      refuseLogins(simulated, instance, null)
      return
    }
    comeOpen(simulated, instance)
    simulated.later(
      opensForMs,
      () => instance.socket === socket && refuseLogins(simulated, instance, opensForMs),
    )
  })
}

export function restart(simulated: SimulatedState, instance: Instance) {
  if (instance.isRegistered) dropLink(simulated, instance, REOPEN_MS)
  else openSocket(simulated, instance)
}

/** Ends a link for good, by the phone, by WhatsApp or by the portal: nothing reconnects it. */
export function endLink(simulated: SimulatedState, instance: Instance, reason: string) {
  if (instance.state === 'close') return
  const at = simulated.nowIso()
  const output = {
    statusCode: 401,
    payload: { statusCode: 401, error: 'Unauthorized', message: reason },
    headers: {},
  }
  const object = JSON.stringify({ error: { data: null, isBoom: true, isServer: false, output }, date: at })
  instance.socket += 1
  instance.isRegistered = false
  instance.state = instance.rowState = 'close'
  instance.qr = { count: 0 }
  instance.disconnection = { code: 401, object, at }
  instance.updatedAt = at
  simulated.emit(instance, 'status.instance', {
    instance: instance.name,
    status: 'closed',
    disconnectionAt: at,
    disconnectionReasonCode: 401,
    disconnectionObject: object,
  })
  simulated.emit(instance, 'logout.instance', null)
  simulated.emit(instance, 'connection.update', {
    instance: instance.name,
    state: 'close',
    statusReason: 401,
  })
}

const emitState = (simulated: SimulatedState, instance: Instance) =>
  simulated.emit(instance, 'connection.update', {
    instance: instance.name,
    state: instance.state,
    statusReason: 200,
  })

/**
 * The row is deleted at once, the instance in memory a moment later: a second deletion in between gets the
 * same answer.
 */
export function removeInstance(simulated: SimulatedState, instance: Instance) {
  endLink(simulated, instance, 'Intentional Logout')
  simulated.emit(instance, 'instance.delete', { instanceName: instance.name, instanceId: instance.id })
  simulated.emit(instance, 'remove.instance', null)
  simulated.instances.delete(instance.name)
  simulated.leaving.add(instance.name)
  simulated.later(500, () => simulated.leaving.delete(instance.name))
}
