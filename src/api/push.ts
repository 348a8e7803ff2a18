// Subscribes a browser to pushes, and describes the subscription to the portal's API. Page and service worker use it.
import * as v from 'valibot'
import { deviceName } from '#domain/device-name.ts'
import { send } from './network.ts'

export const DEVICES = '/api/push/devices' as const

const Config = v.object({ pushPublicKey: v.string() })

/** Returns the public key with which the portal signs pushes. Throws network errors. */
async function portalKey(): Promise<Uint8Array<ArrayBuffer>> {
  const response = await send(new URL('/api/config', location.origin))
  const { pushPublicKey } = v.parse(Config, await response.json())
  const text = atob(pushPublicKey.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

/**
 * Returns the existing subscription. If it was made with another key, a new one replaces it. Throws the browser's
 * errors.
 */
export async function subscribe(pushes: PushManager): Promise<PushSubscription> {
  const key = await portalKey()
  const standing = await pushes.getSubscription()
  const standingKey = standing?.options.applicationServerKey
  if (standing && (!standingKey || isSame(new Uint8Array(standingKey), key))) return standing
  await standing?.unsubscribe()
  return pushes.subscribe({ userVisibleOnly: true, applicationServerKey: key })
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}

/**
 * `isAgain`: this device was registered before. The portal then answers whether somebody removed it from the list
 * since.
 */
export function deviceOf(subscription: PushSubscription, isAgain: boolean): Record<string, unknown> {
  const { endpoint, keys } = subscription.toJSON()
  return { endpoint, keys, name: deviceName(navigator.userAgent), again: isAgain }
}
