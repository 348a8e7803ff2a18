// A new agency's progress, and the WhatsApp gateway's address.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { keys } from '#data/keys.ts'
import { type FirstHour, isOver } from '#domain/first-hour.ts'

const Hour = v.object({
  brokers: v.number(),
  broker: v.nullable(
    v.object({
      instanceName: v.string(),
      hasPassword: v.boolean(),
      isLinked: v.boolean(),
      isTold: v.boolean(),
    }),
  ),
  sources: v.number(),
  lead: v.nullable(v.object({ name: v.string(), seconds: v.nullable(v.number()), isOwned: v.boolean() })),
  address: v.nullable(v.string()),
  backup: v.nullable(v.object({ lastAtMs: v.nullable(v.number()), isFailing: v.boolean() })),
  gateway: v.object({
    source: v.picklist(['environment', 'kept', 'demo', 'none']),
    url: v.nullable(v.string()),
    health: v.string(),
  }),
  isUnheard: v.boolean(),
  webhook: v.object({ url: v.string(), isElsewhere: v.boolean() }),
})

/** Poll interval, because what brokers do on their phones should show here. */
const NEWS_EVERY_MS = 3_000

export function firstHourQuery() {
  return queryOptions({
    queryKey: keys.firstHour(),
    queryFn: async ({ signal }): Promise<FirstHour> =>
      v.parse(Hour, await portal('/api/first-hour', { signal })),
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : NEWS_EVERY_MS),
  })
}

const GatewayLocation = v.object({
  source: Hour.entries.gateway.entries.source,
  url: v.nullable(v.string()),
})

/** Who set the gateway's address; the address itself only if an administrator set it. */
export function gatewayQuery() {
  return queryOptions({
    queryKey: keys.gateway(),
    queryFn: async ({ signal }) => v.parse(GatewayLocation, await portal('/api/gateway', { signal })),
  })
}

/** The portal tests it before storing it. Throws the server's PortalError. */
export function setGateway() {
  return mutationOptions({
    mutationFn: (wanted: { url: string; apiKey: string }) =>
      portal('/api/gateway', { method: 'PUT', body: wanted }),
  })
}
