// The sources of leads: made, changed, tried out, revoked; and what of theirs could not be read.
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { keys } from '#data/keys.ts'

const timeMs = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
)
const Mapping = v.record(v.string(), v.string())
/** Where ours stands in a foreign payload: 'cliente.telefone' for `number`. */
export type Mapping = v.InferOutput<typeof Mapping>

const SourceKind = v.object({
  kind: v.string(),
  name: v.string(),
  what: v.string(),
  initials: v.string(),
  hue: v.string(),
  /** The first step: where its address goes. */
  place: v.string(),
})
/** A kind of source that the server reads, and what is said of it. */
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
        /** In the text of its WhatsApp link. */
        code: v.string(),
        settings: v.object({
          development: v.optional(v.string()),
          origins: v.optional(v.array(v.string()), []),
          mapping: v.optional(Mapping, {}),
        }),
        createdBy: v.string(),
        /** False for one of before addresses were kept, and for a token of the API. */
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

/** Of a source whose kind only another version of the portal reads. */
const unknownKind = (kind: string): SourceKind => ({
  kind,
  name: kind,
  what: '',
  initials: kind.slice(0, 2).toUpperCase(),
  hue: 'default',
  place: 'Cole este endereço na fonte',
})

/** Leads come in without a word here. */
const NEWS_EVERY_MS = 15_000

/** Those in use first; and the kinds that can be added. */
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
    /** Of Meta, by the id of its form. */
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

/** Answers its id; the same operation the same. Raises PortalError `request.invalid`, `intake-key.no-secret`. */
export function addSource() {
  return mutationOptions({
    mutationFn: async (intent: NewSource, { client }): Promise<string> =>
      v.parse(Id, await andRead(client, '/api/leads/keys', { body: intent })).id,
  })
}

export type SourceChange = {
  isOn?: boolean
  /** Null lets one go. */
  settings?: { development?: string | null; origins?: readonly string[] | null; mapping?: Mapping | null }
}

export function changeSource(id: string) {
  return mutationOptions({
    mutationFn: async (change: SourceChange, { client }) => {
      await andRead(client, `/api/leads/keys/${id}`, { body: change, method: 'PATCH' })
    },
  })
}

/** Another key in its place; the old one is good for a day. The same operation makes the same. */
export function swapSourceKey(id: string) {
  return mutationOptions({
    mutationFn: async (operationId: string, { client }) => {
      await andRead(client, `/api/leads/keys/${id}/swap`, { body: { operationId } })
    },
  })
}

/** From now on it brings nothing in; again changes nothing. */
export function revokeSource(id: string) {
  return mutationOptions({
    mutationFn: async (_: null, { client }) => {
      await andRead(client, `/api/leads/keys/${id}/revoke`, { body: {} })
    },
  })
}

const Address = v.object({ path: v.string() })

/** With the key in it; kept nowhere. Raises PortalError `intake-key.shown-once`. */
export const getSourceAddress = async (id: string): Promise<string> =>
  location.origin + v.parse(Address, await portal(`/api/leads/keys/${id}/address`)).path

const text = v.nullable(v.string())
const Tested = v.object({
  roleta: text,
  fault: text,
  told: v.nullable(v.object({ name: text, number: text, email: text, message: text, listing: text })),
})
export type Tested = v.InferOutput<typeof Tested>

/** What is read of the source's own body; nobody comes in. */
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

/** As it was sent, and its values by their names where it has any. Looking is audited. */
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

/** Who came in of each, or why it stays. */
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
