// Reads how far a new agency has come with its first steps. Reads and sets the WhatsApp gateway's address.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal, rpc } from '#api/client.ts'
import { keys } from '#data/keys.ts'
import { toRefusal } from '#data/refusal.ts'
import { displayName } from '#domain/broker.ts'
import { PortalError } from '#domain/errors.ts'
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
  /** The broker who has the test lead. Missing in responses of the previous release's portal. */
  test: v.nullish(v.object({ instanceName: v.nullable(v.string()) }), null),
  address: v.nullable(v.string()),
  backup: v.nullable(v.object({ lastAtMs: v.nullable(v.number()), isFailing: v.boolean() })),
  gateway: v.object({
    source: v.picklist(['environment', 'kept', 'demo', 'none']),
    url: v.nullable(v.string()),
    health: v.string(),
    /** Missing in responses of older portals, and without a gateway. */
    kind: v.nullish(v.string(), null),
  }),
  isUnheard: v.boolean(),
  webhook: v.object({ url: v.string(), isElsewhere: v.boolean() }),
})

/** The steps are polled, so that they show what a broker has just done on the phone. */
const NEWS_EVERY_MS = 3_000

export function firstHourQuery() {
  return queryOptions({
    queryKey: keys.firstHour(),
    queryFn: async ({ signal }): Promise<FirstHour> =>
      v.parse(Hour, await portal('/api/first-hour', { signal })),
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : NEWS_EVERY_MS),
  })
}

const Sent = v.object({ code: v.string(), message: v.nullable(v.string()) })

/** Throws a PortalError whose text is the reason. */
export function sendTestLead() {
  return mutationOptions({
    mutationFn: async (
      { number, to, operationId }: { number: string; to: string; operationId: string },
      { client },
    ) => {
      const args = { p_number: number, p_broker_name: to, p_operation_id: operationId }
      const { code, message } = v.parse(
        Sent,
        await rpc('send_test_lead', args).catch((error: unknown) => {
          throw toRefusal(error)
        }),
      )
      if (code !== 'saved')
        throw new PortalError(
          `test-lead.${code}`,
          message ?? `Este número já é de um lead de ${displayName(to)}.`,
          {
            status: 409,
          },
        )
      await client.invalidateQueries({ queryKey: keys.firstHour() })
    },
  })
}

export function removeTestLead() {
  return mutationOptions({
    mutationFn: async (_: void, { client }) => {
      await rpc('remove_test_lead', {})
      await client.invalidateQueries({ queryKey: keys.firstHour() })
    },
  })
}

const Source = Hour.entries.gateway.entries.source
const Gateways = v.object({
  gateways: v.array(
    v.object({
      kind: v.string(),
      source: Source,
      url: v.nullable(v.string()),
      health: v.nullable(v.string()),
    }),
  ),
  /** The kind of gateway on which new instances are made; null without a gateway. */
  newKind: v.nullable(v.string()),
  instances: v.array(
    v.object({ instanceName: v.string(), kind: v.string(), target: v.nullable(v.string()) }),
  ),
})
export type Gateways = v.InferOutput<typeof Gateways>

/**
 * Reads who set each gateway's address, and on which gateway each instance runs. An address is shown only if an
 * administrator set it.
 */
export function gatewayQuery() {
  return queryOptions({
    queryKey: keys.gateway(),
    queryFn: async ({ signal }) => v.parse(Gateways, await portal('/api/gateway', { signal })),
  })
}

/**
 * Sends the gateway's address and key, which the portal tests before it stores them. Throws the server's PortalError.
 */
export function setGateway() {
  return mutationOptions({
    mutationFn: (wanted: { kind: string; url: string; apiKey: string }) =>
      portal('/api/gateway', { method: 'PUT', body: wanted }),
  })
}

/** Chooses where new instances are made. */
export function chooseGateway() {
  return mutationOptions({
    mutationFn: (kind: string) => portal('/api/gateway/new', { method: 'PUT', body: { kind } }),
  })
}

const MoveStep = v.variant('kind', [
  v.object({ kind: v.literal('code'), image: v.pipe(v.string(), v.startsWith('data:image/')) }),
  v.object({ kind: v.picklist(['open', 'waiting', 'moved', 'other-phone']) }),
])
export type MoveStep = v.InferOutput<typeof MoveStep>

const MOVE_EVERY_MS = 4_000
const ofInstance = (instanceName: string) =>
  `/api/instance/move?instanceName=${encodeURIComponent(instanceName)}` as const

/** Begins or continues the move of an instance to another gateway. Returns a code to scan until it has moved. */
export function moveQuery(instanceName: string, kind: string) {
  return queryOptions({
    queryKey: keys.gatewayMove(instanceName, kind),
    queryFn: async ({ signal }): Promise<MoveStep> =>
      v.parse(MoveStep, await portal(ofInstance(instanceName), { method: 'POST', body: { kind }, signal })),
    refetchInterval: ({ state }) => (state.data?.kind === 'moved' ? false : MOVE_EVERY_MS),
    retry: false,
    gcTime: 0,
    staleTime: 0,
  })
}

/** Cancels the move of an instance, which stays on its present gateway. */
export function endMove() {
  return mutationOptions({
    mutationFn: (instanceName: string) => portal(ofInstance(instanceName), { method: 'DELETE' }),
  })
}
