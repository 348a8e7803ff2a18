// A broker's devices with pushes, and the settings for all of them.
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { DEVICES, deviceOf } from '#api/push.ts'
import { keys } from './keys.ts'

const Push = v.object({
  devices: v.array(
    v.pipe(
      v.object({ id: v.string(), name: v.string(), isThis: v.boolean(), seenAt: v.string() }),
      v.transform(({ seenAt, ...device }) => ({ ...device, seenAtMs: Date.parse(seenAt) })),
    ),
  ),
  settings: v.object({
    hidesNames: v.boolean(),
    quiet: v.nullable(v.object({ from: v.string(), until: v.string() })),
  }),
})
const Saved = v.object({ id: v.nullable(v.string()) })

type Push = v.InferOutput<typeof Push>
export type PushDevice = Push['devices'][number]
/** `quiet` are the hours without pushes, 'HH:MM' in the portal's time zone. */
export type PushSettings = Push['settings']

export function pushQuery() {
  return queryOptions({
    queryKey: keys.push(),
    queryFn: async ({ signal }): Promise<Push> => v.parse(Push, await portal('/api/push', { signal })),
    // Always refetched, because other devices may have changed the list.
    staleTime: 0,
  })
}

/**
 * Registers this device. Resolves with false if `isAgain` is true but somebody has removed the device from the list.
 * Throws PortalError.
 */
export async function saveDevice(subscription: PushSubscription, isAgain: boolean): Promise<boolean> {
  const answer = await portal(DEVICES, { method: 'POST', body: deviceOf(subscription, isAgain) })
  return v.parse(Saved, answer).id !== null
}

/** Removes a device; one that is missing counts as removed. */
export function removeDevice() {
  return mutationOptions({
    mutationFn: async (id: string, { client }) => {
      try {
        await portal(`${DEVICES}/${id}`, { method: 'DELETE' })
      } finally {
        await readAgain(client)
      }
    },
  })
}

/**
 * The screen shows the change at once, and takes it back if saving fails. Sends only the changed settings, because this
 * device's copy of the others may be outdated.
 */
export function savePushSettings() {
  return mutationOptions({
    mutationKey: keys.push(),
    // In order, so that the later of two changes wins.
    scope: { id: 'push-settings' },
    mutationFn: async (chosen: Partial<PushSettings>, { client }) => {
      try {
        await portal('/api/push/settings', { method: 'POST', body: chosen })
      } finally {
        if (client.isMutating({ mutationKey: keys.push() }) === 1) await readAgain(client)
      }
    },
    onMutate: async (chosen, { client }) => {
      // Cancels a fetch in progress, whose answer has the old settings.
      await client.cancelQueries({ queryKey: keys.push() })
      client.setQueryData<Push>(
        keys.push(),
        (known) => known && { ...known, settings: { ...known.settings, ...chosen } },
      )
    },
  })
}

/** Tells the portal which conversation is open on this device; null if there is none. Throws PortalError. */
export async function reportSeen(contactId: number | null): Promise<void> {
  await portal('/api/push/watching', { method: 'POST', body: { contactId } })
}

export const readAgain = (client: QueryClient) => client.invalidateQueries({ queryKey: keys.push() })
