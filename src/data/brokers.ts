// Brokers for administrators: the list, lead counts, adding, resetting and removing a broker.
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal, rpc } from '#api/client.ts'
import { log } from '#api/log.ts'
import { type Broker, INSTANCE_PREFIX } from '#domain/broker.ts'
import { cachedOffline } from './cached-offline.ts'
import { keys } from './keys.ts'
import { LinkLimitRow } from './link-limit.ts'

const time = v.nullable(
  v.pipe(
    v.string(),
    v.transform((text) => Date.parse(text)),
  ),
)

/** The states of a broker that count as active. Both words occur in responses. */
const ACTIVE = new Set(['ativo', 'connected'])

const BrokerRows = v.array(
  v.pipe(
    v.object({
      id: v.string(),
      instanceName: v.string(),
      number: v.nullable(v.string()),
      pictureUrl: v.nullable(v.string()),
      isCentral: v.boolean(),
      status: v.string(),
      state: v.picklist(['open', 'dead', 'connecting', 'close', 'unconfigured', 'unreachable']),
      changedAt: time,
      lostAt: time,
      limit: LinkLimitRow,
      hasPassword: v.boolean(),
      seenAt: time,
      campaigns: v.number(),
      seats: v.number(),
    }),
    v.transform(({ changedAt, lostAt, seenAt, campaigns, seats, status, ...row }): Broker => ({
      ...row,
      isActive: ACTIVE.has(status),
      changedAtMs: changedAt,
      lostAtMs: lostAt,
      seenAtMs: seenAt,
      campaignCount: campaigns,
      seatCount: seats,
    })),
  ),
)

/** Reads all brokers with their links. Refetched when either changes. */
export function brokersQuery() {
  return queryOptions({
    queryKey: keys.brokers(),
    queryFn: cachedOffline({ kind: 'brokers', most: 1, version: 4 }, async ({ signal }) =>
      v.parse(BrokerRows, await portal('/api/brokers', { signal })),
    ),
  })
}

const TOTALS_EVERY_MS = 30_000

const AnswerRows = v.array(v.object({ broker: v.string(), received: v.number(), answered: v.number() }))
export type AnswersToday = { received: number; answered: number }

/** Today's leads by instance name, and how many of them were answered. Brokers without an entry got none. */
export function answersTodayQuery() {
  return queryOptions({
    queryKey: keys.brokerAnswers(),
    queryFn: cachedOffline({ kind: 'broker-answers', most: 1, version: 1 }, async ({ signal }) => {
      const rows = v.parse(AnswerRows, await rpc('get_answers_today', {}, signal))
      return Object.fromEntries(rows.map(({ broker, ...today }): [string, AnswersToday] => [broker, today]))
    }),
    refetchInterval: TOTALS_EVERY_MS,
  })
}

const TotalRows = v.array(v.object({ broker_name: v.string(), total_contatos: v.number() }))
const CountedRows = v.array(v.object({ instanceName: v.string(), leads: v.number() }))

/**
 * Reads how many leads each broker has, by instance name. If the database function fails, the app counts them itself.
 */
export function brokerTotalsQuery() {
  return queryOptions({
    queryKey: keys.brokerTotals(),
    queryFn: cachedOffline({ kind: 'broker-totals', most: 1, version: 1 }, async ({ signal }) => {
      try {
        const rows = v.parse(TotalRows, await rpc('get_total_contatos_por_corretor', {}, signal))
        return Object.fromEntries(rows.map((row) => [row.broker_name, row.total_contatos]))
      } catch (error) {
        signal.throwIfAborted()
        log.warn('broker-totals.failed', error)
        const rows = v.parse(CountedRows, await portal('/api/brokers/totals', { signal }))
        return Object.fromEntries(rows.map((row) => [row.instanceName, row.leads]))
      }
    }),
    refetchInterval: TOTALS_EVERY_MS,
  })
}

const PrivateRows = v.array(v.object({ instanceName: v.string(), count: v.number() }))

/** Reads how many contacts each broker marked as private, by instance name. Administrators see nothing else of them. */
export function privateCountsQuery() {
  return queryOptions({
    queryKey: keys.privateCounts(),
    queryFn: async ({ signal }) =>
      Object.fromEntries(
        v
          .parse(PrivateRows, await rpc('count_private_contacts', {}, signal))
          .map((row) => [row.instanceName, row.count]),
      ),
  })
}

const Invited = v.object({ instanceName: v.string(), invite: v.string() })

/** The one-time link for a broker's first access. */
export type Invitation = { instanceName: string; link: string }

function toInvitation(answer: unknown): Invitation {
  const { instanceName, invite } = v.parse(Invited, answer)
  const search = new URLSearchParams({
    usuario: instanceName.slice(INSTANCE_PREFIX.length),
    convite: invite,
  })
  return { instanceName, link: `${location.origin}/login?${search.toString()}` }
}

/**
 * Refetches the list even after an error, because the server may have made the change although its response was lost.
 */
async function andRead<T>(client: QueryClient, asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } finally {
    await client.invalidateQueries({ queryKey: keys.brokers() })
  }
}

const post = (path: `/api/brokers${string}`, body: object) => portal(path, { method: 'POST', body })

export type Addition = { operationId: string; username: string }

/**
 * Adds a broker. Repeating an operation id adds no second one. Throws PortalError `broker.taken`, and the gateway's
 * faults in Portuguese.
 */
export function addBroker() {
  return mutationOptions({
    mutationFn: async (intent: Addition, { client }) =>
      toInvitation(await andRead(client, post('/api/brokers', intent))),
  })
}

export type Reset = { instanceName: string; operationId: string }

/** Deletes a broker's password and all sessions. Throws PortalError `broker.unknown`. */
export function resetPassword() {
  return mutationOptions({
    mutationFn: async ({ instanceName, ...body }: Reset, { client }) =>
      toInvitation(await andRead(client, post(`/api/brokers/${instanceName}/reset`, body))),
  })
}

export type Removal = { instanceName: string; operationId: string; heir: string | null }

/**
 * Removes a broker. The leads go to the heir; if `heir` is null they are left without a broker. Throws PortalError
 * `broker.unknown`, `broker.no-heir`.
 */
export function removeBroker() {
  return mutationOptions({
    mutationFn: async ({ instanceName, ...body }: Removal, { client }) => {
      await andRead(client, post(`/api/brokers/${instanceName}/remove`, body))
    },
  })
}

export type CentralSwitch = { instanceName: string; isCentral: boolean }

/**
 * Decides whether first messages to this number become leads of a rotation, or the broker's own. Throws PortalError
 * `central.seated`, `broker.unknown`.
 */
export function switchCentral() {
  return mutationOptions({
    mutationFn: async (body: CentralSwitch, { client }) => {
      await andRead(client, portal('/api/roleta/central', { method: 'POST', body }))
    },
  })
}
