// Where and how a broker is told of news: the devices, and the settings that hold on all of them.
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
/** `quiet`: from when to when nothing is told, 'HH:MM' of the portal's zone. */
export type PushSettings = Push['settings']

export function pushQuery() {
  return queryOptions({
    queryKey: keys.push(),
    queryFn: async ({ signal }): Promise<Push> => v.parse(Push, await portal('/api/push', { signal })),
    // Other devices come and go.
    staleTime: 0,
  })
}

/** False where it only says `again` that it is there and was taken off the list meanwhile. Raises PortalError. */
export async function saveDevice(subscription: PushSubscription, isAgain: boolean): Promise<boolean> {
  const answer = await portal(DEVICES, { method: 'POST', body: deviceOf(subscription, isAgain) })
  return v.parse(Saved, answer).id !== null
}

/** A repeat changes nothing: one that is gone already counts as removed. */
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
 * Shown as chosen at once; as it was where it could not be kept. Only what was chosen is sent: what this device knows of the rest may
 * be older than what was chosen a moment ago.
 */
export function savePushSettings() {
  return mutationOptions({
    mutationKey: keys.push(),
    // In their order: of two hours chosen one after the other the last one holds.
    scope: { id: 'push-settings' },
    mutationFn: async (chosen: Partial<PushSettings>, { client }) => {
      try {
        await portal('/api/push/settings', { method: 'POST', body: chosen })
      } finally {
        if (client.isMutating({ mutationKey: keys.push() }) === 1) await readAgain(client)
      }
    },
    onMutate: async (chosen, { client }) => {
      // What is being read says how it was before.
      await client.cancelQueries({ queryKey: keys.push() })
      client.setQueryData<Push>(
        keys.push(),
        (known) => known && { ...known, settings: { ...known.settings, ...chosen } },
      )
    },
  })
}

/** The conversation that is open on this device; null: none. Raises PortalError. */
export async function reportSeen(contactId: number | null): Promise<void> {
  await portal('/api/push/watching', { method: 'POST', body: { contactId } })
}

export const readAgain = (client: QueryClient) => client.invalidateQueries({ queryKey: keys.push() })
