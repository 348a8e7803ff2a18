// A broker's push devices, and the settings that apply to all of them.
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
/** `quiet`: the hours without pushes, 'HH:MM' in the portal's time zone. */
export type PushSettings = Push['settings']

export function pushQuery() {
  return queryOptions({
    queryKey: keys.push(),
    queryFn: async ({ signal }): Promise<Push> => v.parse(Push, await portal('/api/push', { signal })),
    // Other devices may have changed the list.
    staleTime: 0,
  })
}

/** False if a known device registers `again` but was removed from the list meanwhile. Throws PortalError. */
export async function saveDevice(subscription: PushSubscription, isAgain: boolean): Promise<boolean> {
  const answer = await portal(DEVICES, { method: 'POST', body: deviceOf(subscription, isAgain) })
  return v.parse(Saved, answer).id !== null
}

/** Repeating it changes nothing: a missing device counts as removed. */
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
 * Shown at once, reverted if saving fails. It sends only the changed settings, because this device's copy of the others
 * may
 * be outdated.
 */
export function savePushSettings() {
  return mutationOptions({
    mutationKey: keys.push(),
    // In order, so that of two changed hours the later one wins.
    scope: { id: 'push-settings' },
    mutationFn: async (chosen: Partial<PushSettings>, { client }) => {
      try {
        await portal('/api/push/settings', { method: 'POST', body: chosen })
      } finally {
        if (client.isMutating({ mutationKey: keys.push() }) === 1) await readAgain(client)
      }
    },
    onMutate: async (chosen, { client }) => {
      // A fetch in progress would bring the old settings back.
      await client.cancelQueries({ queryKey: keys.push() })
      client.setQueryData<Push>(
        keys.push(),
        (known) => known && { ...known, settings: { ...known.settings, ...chosen } },
      )
    },
  })
}

/** Reports the conversation that is open on this device; null: none. Throws PortalError. */
export async function reportSeen(contactId: number | null): Promise<void> {
  await portal('/api/push/watching', { method: 'POST', body: { contactId } })
}

export const readAgain = (client: QueryClient) => client.invalidateQueries({ queryKey: keys.push() })
