// The broker's WhatsApp link: its state, a code to connect it, and cutting it.
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import type { LinkOffer } from '#domain/link.ts'
import { cachedOffline } from './cached-offline.ts'
import { keys } from './keys.ts'
import { noteConnection } from './session.ts'

const CHECK_MS = 3_000

const Link = v.object({
  state: v.picklist(['open', 'dead', 'connecting', 'close', 'unconfigured', 'unreachable']),
  number: v.nullable(v.string()),
  replacedNumber: v.nullable(v.string()),
})

const Offer = v.variant('kind', [
  v.object({ kind: v.literal('open') }),
  v.object({
    kind: v.literal('code'),
    image: v.pipe(v.string(), v.startsWith('data:image/')),
    pairingCode: v.nullable(v.string()),
    count: v.number(),
    limit: v.number(),
    lifetimeMs: v.number(),
  }),
  v.object({ kind: v.literal('waiting') }),
])

/** As the portal last learnt of it; live events bring every change. */
export function linkQuery(instanceName: string) {
  return queryOptions({
    queryKey: keys.link(instanceName),
    queryFn: cachedOffline({ kind: 'link', most: 1, version: 1 }, async ({ signal }) => {
      const link = v.parse(Link, await portal('/api/instance', { signal }))
      if (link.state !== 'unconfigured' && link.state !== 'unreachable')
        noteConnection(link.state === 'open' || link.state === 'dead')
      return link
    }),
  })
}

/** An administrator says whose; a broker has one. */
const ofInstance = (instanceName: string) => `instanceName=${encodeURIComponent(instanceName)}`

/** As the gateway says it now, asked again every 3 s. */
export function linkNowQuery(instanceName: string) {
  return queryOptions({
    queryKey: keys.linkNow(instanceName),
    queryFn: async ({ signal }) =>
      v.parse(Link, await portal(`/api/instance?fresh=1&${ofInstance(instanceName)}`, { signal })),
    refetchInterval: CHECK_MS,
    retry: false,
    gcTime: 0,
    staleTime: 0,
  })
}

/** A code to scan, or for a `number` one to type, for which the link begins again. Raises PortalError with the gateway's fault in Portuguese. */
export async function askForCode(instanceName: string, number: string | null): Promise<LinkOffer> {
  const body = number === null ? {} : { number }
  return v.parse(
    Offer,
    await portal(`/api/instance/connect?${ofInstance(instanceName)}`, { method: 'POST', body }),
  )
}

/** For a gateway that gives no code: opens the link again, or makes the instance from nothing. */
export function cureLink(instanceName: string, cure: 'restart' | 'recreate'): Promise<void> {
  return act(instanceName, cure)
}

type Action = 'restart' | 'recreate' | 'disconnect' | 'acknowledge'

async function act(instanceName: string, name: Action): Promise<void> {
  await portal(`/api/instance/${name}?${ofInstance(instanceName)}`, { method: 'POST' })
}

/** Raises PortalError with the gateway's fault in Portuguese. */
export function disconnect(instanceName: string) {
  return mutationOptions({
    mutationFn: (_: void, { client }) => actAndRead(client, instanceName, 'disconnect'),
  })
}

/** The broker has seen that another phone was linked. */
export function acknowledgeReplacement(instanceName: string) {
  return mutationOptions({
    mutationFn: (_: void, { client }) => actAndRead(client, instanceName, 'acknowledge'),
  })
}

async function actAndRead(client: QueryClient, instanceName: string, name: 'disconnect' | 'acknowledge') {
  try {
    await act(instanceName, name)
  } finally {
    await client.invalidateQueries({ queryKey: keys.link(instanceName) })
  }
}
