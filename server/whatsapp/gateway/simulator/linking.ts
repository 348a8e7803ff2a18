// The link between an instance and a phone: sockets, QR codes, drops and ends.
import { qrDataUrl } from './qr-image.ts'
import type { Instance, World } from './state.ts'

const FIRST_QR_MS = 400
const QR_LIFE_MS = 45_000
const QR_LIMIT = 30
const REOPEN_MS = 120

/** Opens a socket: a known phone comes back by itself, otherwise codes are shown. `number` asks for a pairing code. */
export function openSocket(world: World, instance: Instance, number: string | null = null) {
  const socket = newSocket(instance)
  instance.state = 'connecting'
  instance.qr = { count: 0 }
  instance.pairingNumber = number
  emitState(world, instance)
  if (instance.isRegistered) {
    world.later(REOPEN_MS, () => instance.socket === socket && comeOpen(world, instance))
  } else {
    world.later(FIRST_QR_MS, () => instance.withholdsQr || showQr(world, instance, socket))
  }
}

function newSocket(instance: Instance): number {
  instance.socket += 1
  // Media in webhooks follows what was set before this moment, not after.
  instance.sendsBase64 = instance.webhook?.base64 ?? false
  return instance.socket
}

/** The next code, until a phone scans one or the limit is reached. */
function showQr(world: World, instance: Instance, socket: number) {
  if (instance.socket !== socket || instance.state !== 'connecting') return
  if (instance.qr.count >= QR_LIMIT) return endCodes(world, instance)
  const code = world.ids.qr()
  const pairingCode = instance.pairingNumber === null ? null : world.ids.pairing()
  instance.rowState = 'connecting'
  instance.qr = { pairingCode, code, base64: qrDataUrl(code), count: instance.qr.count + 1 }
  const { count: _, ...qrcode } = instance.qr
  world.emit(instance, 'qrcode.updated', { qrcode: { instance: instance.name, ...qrcode } })
  if (instance.qr.count === 1) for (const tell of world.onQr) tell(instance)
  world.later(QR_LIFE_MS, () => showQr(world, instance, socket))
}

/** The row goes on saying connecting. */
function endCodes(world: World, instance: Instance) {
  instance.socket += 1
  instance.state = 'close'
  instance.qr = { count: 0 }
  const message = 'QR code limit reached, please login again'
  world.emit(instance, 'qrcode.updated', { instance: instance.name, message, statusCode: 500 })
  world.emit(instance, 'connection.update', { instance: instance.name, state: 'refused', statusReason: 428 })
}

/** The shown code dies now and the next one comes. */
export function expireQr(world: World, instance: Instance) {
  showQr(world, instance, newSocket(instance))
}

export function reachQrLimit(world: World, instance: Instance) {
  if (instance.state === 'connecting') endCodes(world, instance)
}

export type Phone = { number: string; name: string }

/** A phone reads the code that is shown now; false when there is none. */
export function scan(world: World, instance: Instance, phone: Phone): boolean {
  if (instance.state !== 'connecting' || instance.qr.count === 0) return false
  register(instance, phone)
  comeOpen(world, instance)
  return true
}

function register(instance: Instance, { number, name }: Phone) {
  instance.isRegistered = true
  instance.owner = { jid: `${number}@s.whatsapp.net`, name }
}

function comeOpen(world: World, instance: Instance) {
  instance.state = instance.rowState = 'open'
  instance.isZombie = false
  instance.qr = { count: 0 }
  instance.updatedAt = world.nowIso()
  world.emit(instance, 'connection.update', {
    instance: instance.name,
    wuid: instance.owner?.jid,
    profileName: instance.owner?.name,
    state: 'open',
    statusReason: 200,
  })
}

/** Linked as if it had been for long: what a gateway still knows after the portal was started anew. */
export function linkSilently(instance: Instance, phone: Phone) {
  newSocket(instance)
  register(instance, phone)
  instance.state = instance.rowState = 'open'
}

/** A short drop shows no close; without `backAfterMs` it stays away. */
export function dropLink(world: World, instance: Instance, backAfterMs: number | null) {
  if (instance.state !== 'open') return
  const socket = newSocket(instance)
  instance.state = 'connecting'
  emitState(world, instance)
  if (backAfterMs !== null)
    world.later(backAfterMs, () => instance.socket === socket && comeOpen(world, instance))
}

const LOGIN_AGAIN_MS = 3_000

/**
 * Another session took the place of this one: each login ends with 440 and begins anew, for ever. With `opensForMs` it stands
 * for so long each time. The row says open through all of it.
 */
export function refuseLogins(world: World, instance: Instance, opensForMs: number | null) {
  if (instance.state !== 'open') return
  dropLink(world, instance, null)
  const { socket } = instance
  world.later(LOGIN_AGAIN_MS, () => {
    if (instance.socket !== socket) return
    if (opensForMs === null) {
      instance.state = 'open'
      refuseLogins(world, instance, null)
      return
    }
    comeOpen(world, instance)
    world.later(opensForMs, () => instance.socket === socket && refuseLogins(world, instance, opensForMs))
  })
}

export function restart(world: World, instance: Instance) {
  if (instance.isRegistered) dropLink(world, instance, REOPEN_MS)
  else openSocket(world, instance)
}

/** Ended for good, by the phone, by WhatsApp or by us: nothing reconnects by itself. */
export function endLink(world: World, instance: Instance, reason: string) {
  if (instance.state === 'close') return
  const at = world.nowIso()
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
  world.emit(instance, 'status.instance', {
    instance: instance.name,
    status: 'closed',
    disconnectionAt: at,
    disconnectionReasonCode: 401,
    disconnectionObject: object,
  })
  world.emit(instance, 'logout.instance', null)
  world.emit(instance, 'connection.update', { instance: instance.name, state: 'close', statusReason: 401 })
}

const emitState = (world: World, instance: Instance) =>
  world.emit(instance, 'connection.update', {
    instance: instance.name,
    state: instance.state,
    statusReason: 200,
  })

/** The row goes at once, the instance from memory a moment later: a second removal in between is answered as the first. */
export function removeInstance(world: World, instance: Instance) {
  endLink(world, instance, 'Intentional Logout')
  world.emit(instance, 'instance.delete', { instanceName: instance.name, instanceId: instance.id })
  world.emit(instance, 'remove.instance', null)
  world.instances.delete(instance.name)
  world.leaving.add(instance.name)
  world.later(500, () => world.leaving.delete(instance.name))
}
