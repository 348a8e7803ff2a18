// A browser's subscription to pushes: made, compared, and as the portal wants it. Page and service worker use it alike.
import * as v from 'valibot'
import { deviceName } from '#domain/device-name.ts'
import { send } from './network.ts'

export const DEVICES = '/api/push/devices' as const

const Config = v.object({ pushPublicKey: v.string() })

/** The key that the portal signs with. Raises what the network raises. */
async function portalKey(): Promise<Uint8Array<ArrayBuffer>> {
  const response = await send(new URL('/api/config', location.origin))
  const { pushPublicKey } = v.parse(Config, await response.json())
  const text = atob(pushPublicKey.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

/** A subscription to this portal: the one that stands, or a new one in place of one to another's key. Raises what the browser raises. */
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

/** `isAgain`: it only says that it is still there, and learns when it was taken off the list. */
export function deviceOf(subscription: PushSubscription, isAgain: boolean): Record<string, unknown> {
  const { endpoint, keys } = subscription.toJSON()
  return { endpoint, keys, name: deviceName(navigator.userAgent), again: isAgain }
}
