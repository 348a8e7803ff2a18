// Reads and changes webhook addresses, the events sent to them, and the API keys of other systems.
import { infiniteQueryOptions, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { keys } from '#data/keys.ts'
import type { EventType, MachineGrant } from '#domain/machine.ts'

const number = v.nullable(v.number())

const Hook = v.object({
  id: v.string(),
  name: v.string(),
  url: v.string(),
  events: v.array(v.string()),
  state: v.picklist(['active', 'paused', 'off']),
  /** Why the address is off or paused. `untested`: it has not answered its first test yet. */
  reason: v.nullable(v.picklist(['failures', 'gone', 'untested'])),
  secretTail: v.string(),
  oldSecretUntilMs: number,
  failures: v.number(),
  deliveredAtMs: number,
  nextAtMs: number,
  waiting: v.number(),
})
export type Hook = v.InferOutput<typeof Hook>

/** No live event reports deliveries, so the list is polled this often. */
const NEWS_EVERY_MS = 15_000

/** Reads the webhooks, the oldest first. */
export function hooksQuery() {
  return queryOptions({
    queryKey: keys.hooks(),
    queryFn: async ({ signal }): Promise<readonly Hook[]> =>
      v.parse(v.array(Hook), await portal('/api/webhooks', { signal })),
    staleTime: 0,
    refetchInterval: NEWS_EVERY_MS,
  })
}

const SentEvent = v.object({
  id: v.number(),
  messageId: v.string(),
  type: v.string(),
  leadId: number,
  leadName: v.nullable(v.string()),
  leadNumber: v.nullable(v.string()),
  leadEmail: v.nullable(v.string()),
  happenedAtMs: v.number(),
  state: v.picklist(['waiting', 'delivered', 'skipped']),
  /** The event waits, because an earlier event of the same lead is being retried. */
  isHeld: v.boolean(),
  tries: v.number(),
  dueAtMs: v.number(),
  status: number,
  fault: v.nullable(v.string()),
  tookMs: number,
})
export type SentEvent = v.InferOutput<typeof SentEvent>

const PAGE = 50

/** Events, newest first. `type` '' means all types. */
export function sentEventsQuery(hookId: string, type: string) {
  return infiniteQueryOptions({
    queryKey: [...keys.sentEvents(hookId), type],
    queryFn: async ({ pageParam, signal }): Promise<readonly SentEvent[]> => {
      const asked = new URLSearchParams(type === '' ? {} : { type })
      if (pageParam !== null) asked.set('before', String(pageParam))
      const query = asked.size === 0 ? '' : `?${asked.toString()}`
      return v.parse(v.array(SentEvent), await portal(`/api/webhooks/${hookId}/events${query}`, { signal }))
    },
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < PAGE ? null : (page.at(-1)?.id ?? null)),
    staleTime: 0,
    refetchInterval: NEWS_EVERY_MS,
  })
}

async function andRead(
  client: QueryClient,
  path: `/api/${string}`,
  { method = 'POST', body = {} }: { method?: string; body?: object },
): Promise<unknown> {
  try {
    return await portal(path, { method, body })
  } finally {
    await Promise.all([
      client.invalidateQueries({ queryKey: keys.hooks() }),
      client.invalidateQueries({ queryKey: keys.serviceTokens() }),
    ])
  }
}

const MadeHook = v.object({ id: v.string(), secret: v.string() })
export type MadeHook = v.InferOutput<typeof MadeHook>

/** Adds the address, which is off until its first test. Throws PortalError `webhook.address`. */
export function addHook() {
  return mutationOptions({
    mutationFn: async (
      hook: { name: string; url: string; events: readonly EventType[] },
      { client },
    ): Promise<MadeHook> => v.parse(MadeHook, await andRead(client, '/api/webhooks', { body: hook })),
  })
}

const Tested = v.object({ status: number, fault: v.nullable(v.string()), tookMs: v.number() })
export type Tested = v.InferOutput<typeof Tested>

/** Sends a test event to an address. The first test that succeeds turns the address on. */
export function testHook(id: string) {
  return mutationOptions({
    mutationFn: async (_: null, { client }): Promise<Tested> =>
      v.parse(Tested, await andRead(client, `/api/webhooks/${id}/test`, {})),
  })
}

export function setHookState(id: string) {
  return mutationOptions({
    mutationFn: async (state: 'active' | 'off', { client }) => {
      await andRead(client, `/api/webhooks/${id}/state`, { body: { state } })
    },
  })
}

const Secret = v.object({ secret: v.string(), untilMs: v.number() })
export type Secret = v.InferOutput<typeof Secret>

/** Makes a new secret. Deliveries are signed with both secrets until the new one is confirmed. */
export function swapSecret(id: string) {
  return mutationOptions({
    mutationFn: async (_: null, { client }): Promise<Secret> =>
      v.parse(Secret, await andRead(client, `/api/webhooks/${id}/secret`, {})),
  })
}

export function removeHook(id: string) {
  return mutationOptions({
    mutationFn: async (_: null, { client }) => {
      await andRead(client, `/api/webhooks/${id}`, { method: 'DELETE' })
    },
  })
}

const Count = v.object({ count: v.number() })

/** Sends one event, or those from `from` until before `to`, again with their original ids. Answers their number. */
export function replayEvents(hookId: string) {
  return mutationOptions({
    mutationFn: async (
      what: { eventId: number } | { from: string; to: string },
      { client },
    ): Promise<number> =>
      v.parse(Count, await andRead(client, `/api/webhooks/${hookId}/replay`, { body: what })).count,
  })
}

/** Skips an event, so that later ones of its lead are sent. Throws PortalError `webhook.not-waiting`. */
export function skipEvent(hookId: string) {
  return mutationOptions({
    mutationFn: async (eventId: number, { client }) => {
      await andRead(client, `/api/webhooks/${hookId}/events/${eventId}/skip`, {})
    },
  })
}

const timeMs = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
)
const ServiceToken = v.pipe(
  v.object({
    id: v.string(),
    name: v.string(),
    grants: v.array(v.string()),
    tail: v.nullable(v.string()),
    expiresAt: timeMs,
    usedAt: v.nullable(timeMs),
    revokedAt: v.nullable(timeMs),
  }),
  v.transform(({ expiresAt, usedAt, revokedAt, ...token }) => ({
    ...token,
    expiresAtMs: expiresAt,
    usedAtMs: usedAt,
    revokedAtMs: revokedAt,
  })),
)
export type ServiceToken = v.InferOutput<typeof ServiceToken>

/** Tokens that are still valid, oldest first. */
export function serviceTokensQuery() {
  return queryOptions({
    queryKey: keys.serviceTokens(),
    queryFn: async ({ signal }): Promise<readonly ServiceToken[]> =>
      v
        .parse(v.array(ServiceToken), await portal('/api/service-tokens', { signal }))
        .filter(({ revokedAtMs }) => revokedAtMs === null),
    staleTime: 0,
  })
}

export type NewToken = {
  operationId: string
  name: string
  grants: readonly MachineGrant[]
  expiresAt: string
}
const MadeToken = v.object({ token: v.string() })

/** Makes a token and answers its text, which is never shown again. Throws PortalError `token.term`, `token.made`. */
export function addToken() {
  return mutationOptions({
    mutationFn: async (intent: NewToken, { client }): Promise<string> =>
      v.parse(MadeToken, await andRead(client, '/api/service-tokens', { body: intent })).token,
  })
}

export function revokeToken(id: string) {
  return mutationOptions({
    mutationFn: async (_: null, { client }) => {
      await andRead(client, `/api/service-tokens/${id}/revoke`, {})
    },
  })
}
