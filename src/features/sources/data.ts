// Adds, changes, tests and revokes lead sources. Also reads their unreadable deliveries.
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { keys } from '#data/keys.ts'

const timeMs = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
)
const Mapping = v.record(v.string(), v.string())
/**
 * Tells for each of the portal's fields where it is in a foreign delivery, for example 'cliente.telefone' for `number`.
 */
export type Mapping = v.InferOutput<typeof Mapping>

const SourceKind = v.object({
  kind: v.string(),
  name: v.string(),
  what: v.string(),
  initials: v.string(),
  hue: v.string(),
  /** The panel's first step: where the user enters the address in the other system. */
  place: v.string(),
})
/** A kind of source that the server can read, with the texts that describe it. */
export type SourceKind = v.InferOutput<typeof SourceKind>

const SourceRows = v.object({
  kinds: v.optional(v.array(SourceKind), []),
  keys: v.array(
    v.pipe(
      v.object({
        id: v.string(),
        kind: v.string(),
        name: v.string(),
        perMinute: v.number(),
        /** The code that identifies the source in its WhatsApp link. */
        code: v.string(),
        settings: v.object({
          development: v.optional(v.string()),
          origins: v.optional(v.array(v.string()), []),
          mapping: v.optional(Mapping, {}),
          /** Since when the source's silent leads get a plan of next tries; undefined if they get none. */
          plansSince: v.optional(v.string()),
        }),
        createdBy: v.string(),
        /**
         * False if the portal cannot show the address: the source is older than stored addresses, or is an API token.
         */
        hasAddress: v.optional(v.boolean(), true),
        createdAt: timeMs,
        revokedAt: v.nullable(timeMs),
        offAt: v.nullable(timeMs),
        testedAt: v.nullable(timeMs),
        usedAt: v.nullable(timeMs),
        lastName: v.nullable(v.string()),
        gapSeconds: v.nullable(v.number()),
        leads: v.number(),
        monthLeads: v.number(),
        waiting: v.number(),
        failed: v.number(),
        unread: v.number(),
      }),
      v.transform(({ createdAt, revokedAt, offAt, testedAt, usedAt, ...key }) => ({
        ...key,
        createdAtMs: createdAt,
        revokedAtMs: revokedAt,
        offAtMs: offAt,
        testedAtMs: testedAt,
        usedAtMs: usedAt,
      })),
    ),
  ),
})

export type Source = v.InferOutput<typeof SourceRows>['keys'][number] & { preset: SourceKind }

/** Stands for a kind of source that this version of the app does not know. */
const unknownKind = (kind: string): SourceKind => ({
  kind,
  name: kind,
  what: '',
  initials: kind.slice(0, 2).toUpperCase(),
  hue: 'default',
  place: 'Cole este endereço na fonte',
})

/** No live event reports a source's new leads, so the sources are polled. */
const NEWS_EVERY_MS = 15_000

/** Reads the sources, the active ones first, and the kinds that can be added. */
export function sourcesQuery() {
  return queryOptions({
    queryKey: keys.intakeKeyList(),
    queryFn: async ({ signal }): Promise<{ sources: readonly Source[]; kinds: readonly SourceKind[] }> => {
      const { keys: rows, kinds } = v.parse(SourceRows, await portal('/api/leads/keys', { signal }))
      const presetOf = (kind: string) => kinds.find((one) => one.kind === kind) ?? unknownKind(kind)
      return { kinds, sources: rows.map((key) => ({ ...key, preset: presetOf(key.kind) })) }
    },
    staleTime: 0,
    refetchInterval: NEWS_EVERY_MS,
  })
}

export type NewSource = {
  operationId: string
  kind: string
  name: string
  perMinute: number
  settings: {
    source?: string
    campaign?: string
    development?: string
    origins?: readonly string[]
    /** Only for Meta: the development by the form's id. */
    developmentByForm?: Readonly<Record<string, string>>
  }
  secrets: { appSecret?: string; verifyToken?: string; pageToken?: string }
}

async function andRead(
  client: QueryClient,
  path: `/api/leads/${string}`,
  asked: { body: object; method?: string },
) {
  try {
    return await portal(path, { method: 'POST', ...asked })
  } finally {
    await Promise.all([
      client.invalidateQueries({ queryKey: keys.intakeKeyList() }),
      client.invalidateQueries({ queryKey: keys.unreadLeads(), exact: true }),
    ])
  }
}

const Id = v.object({ id: v.string() })

/**
 * Adds a source and returns its id. Repeating an operation id returns the same id. Throws PortalError
 * `request.invalid`, `intake-key.no-secret`.
 */
export function addSource() {
  return mutationOptions({
    mutationFn: async (intent: NewSource, { client }): Promise<string> =>
      v.parse(Id, await andRead(client, '/api/leads/keys', { body: intent })).id,
  })
}

export type SourceChange = {
  isOn?: boolean
  /** A value null removes the setting. */
  settings?: {
    development?: string | null
    origins?: readonly string[] | null
    mapping?: Mapping | null
    startsPlans?: boolean
  }
}

export function changeSource(id: string) {
  return mutationOptions({
    mutationFn: async (change: SourceChange, { client }) => {
      await andRead(client, `/api/leads/keys/${id}`, { body: change, method: 'PATCH' })
    },
  })
}

/** Makes a new key; the old one works for one more day. Repeating an operation id returns the same key. */
export function swapSourceKey(id: string) {
  return mutationOptions({
    mutationFn: async (operationId: string, { client }) => {
      await andRead(client, `/api/leads/keys/${id}/swap`, { body: { operationId } })
    },
  })
}

/** Stops a source, which accepts no leads from then on. Repeating it changes nothing. */
export function revokeSource(id: string) {
  return mutationOptions({
    mutationFn: async (_: null, { client }) => {
      await andRead(client, `/api/leads/keys/${id}/revoke`, { body: {} })
    },
  })
}

const Address = v.object({ path: v.string() })

/** Reads the address, which contains the key and so is never cached. Throws PortalError `intake-key.shown-once`. */
export const getSourceAddress = async (id: string): Promise<string> =>
  location.origin + v.parse(Address, await portal(`/api/leads/keys/${id}/address`)).path

const text = v.nullable(v.string())
const Tested = v.object({
  roleta: text,
  fault: text,
  told: v.nullable(v.object({ name: text, number: text, email: text, message: text, listing: text })),
})
export type Tested = v.InferOutput<typeof Tested>

/** Shows what the portal would read in an example delivery, without adding a lead. */
export function testSource(id: string) {
  return mutationOptions({
    mutationFn: async (_: null, { client }): Promise<Tested> =>
      v.parse(Tested, await andRead(client, `/api/leads/keys/${id}/test`, { body: {} })),
  })
}

const Unread = v.pipe(
  v.object({
    id: v.number(),
    keyId: v.string(),
    keyName: v.string(),
    receivedAt: timeMs,
    fault: v.nullable(v.string()),
  }),
  v.transform(({ receivedAt, ...unread }) => ({ ...unread, receivedAtMs: receivedAt })),
)
export type Unread = v.InferOutput<typeof Unread>
const UnreadRows = v.object({ unread: v.array(Unread) })

export function unreadQuery() {
  return queryOptions({
    queryKey: keys.unreadLeads(),
    queryFn: async ({ signal }): Promise<readonly Unread[]> =>
      v.parse(UnreadRows, await portal('/api/leads/unread', { signal })).unread,
    staleTime: 0,
    refetchInterval: NEWS_EVERY_MS,
  })
}

const UnreadBody = v.object({
  id: v.number(),
  keyId: v.string(),
  body: v.string(),
  values: v.unknown(),
  settings: v.object({ mapping: v.optional(Mapping, {}) }),
})
export type UnreadBody = v.InferOutput<typeof UnreadBody>

/**
 * Reads the delivery as it was sent and, if it has a structure, its values by path. The server writes this to the audit
 * log.
 */
export function unreadBodyQuery(id: number) {
  return queryOptions({
    queryKey: keys.unreadLead(id),
    queryFn: async ({ signal }): Promise<UnreadBody> =>
      v.parse(UnreadBody, await portal(`/api/leads/unread/${id}`, { signal })),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

const ReadRows = v.object({ read: v.array(v.object({ id: v.number(), name: text, fault: text })) })
export type ReadAgain = v.InferOutput<typeof ReadRows>['read'][number]

/** Reads unreadable deliveries again. Returns for each one the new lead, or the reason why it is still unreadable. */
export function readAgain() {
  return mutationOptions({
    mutationFn: async (ids: readonly number[], { client }): Promise<readonly ReadAgain[]> =>
      v.parse(ReadRows, await andRead(client, '/api/leads/unread/read', { body: { ids } })).read,
  })
}

export function discardUnread() {
  return mutationOptions({
    mutationFn: async (ids: readonly number[], { client }) => {
      await andRead(client, '/api/leads/unread/discard', { body: { ids } })
    },
  })
}
