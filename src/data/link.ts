// The broker's WhatsApp link: its state, codes to connect, and disconnecting.
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import type { LinkOffer } from '#domain/link.ts'
import { cachedOffline } from './cached-offline.ts'
import { keys } from './keys.ts'
import { LinkLimitRow } from './link-limit.ts'
import { noteConnection } from './session.ts'

const CHECK_MS = 3_000

const Link = v.object({
  state: v.picklist(['open', 'dead', 'connecting', 'close', 'unconfigured', 'unreachable']),
  number: v.nullable(v.string()),
  replacedNumber: v.nullable(v.string()),
  limit: LinkLimitRow,
  isMoving: v.optional(v.boolean(), false),
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

/** Reads the link's state as the portal knows it. Live events report every change. */
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

/** Names the instance, because administrators may connect any. A broker has only one. */
const ofInstance = (instanceName: string) => `instanceName=${encodeURIComponent(instanceName)}`

/** Reads the link's state as the gateway reports it, polled every 3 seconds. */
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

/**
 * Restarts the link and resolves with a code: to scan, or with `number` one to type on that phone. Throws PortalError
 * with the gateway's fault in Portuguese.
 */
export async function askForCode(instanceName: string, number: string | null): Promise<LinkOffer> {
  const body = number === null ? {} : { number }
  return v.parse(
    Offer,
    await portal(`/api/instance/connect?${ofInstance(instanceName)}`, { method: 'POST', body }),
  )
}

/** Helps a gateway that returns no code: restarts the link, or recreates the instance. */
export function cureLink(instanceName: string, cure: 'restart' | 'recreate'): Promise<void> {
  return act(instanceName, cure)
}

type Action = 'restart' | 'recreate' | 'disconnect' | 'acknowledge'

async function act(instanceName: string, name: Action): Promise<void> {
  await portal(`/api/instance/${name}?${ofInstance(instanceName)}`, { method: 'POST' })
}

/** Disconnects the link. Throws PortalError with the gateway's fault in Portuguese. */
export function disconnect(instanceName: string) {
  return mutationOptions({
    mutationFn: (_: void, { client }) => actAndRead(client, instanceName, 'disconnect'),
  })
}

/** Records that the broker has seen the notice about another linked phone. */
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
