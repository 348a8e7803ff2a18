// The keys by which forms, portals and Meta bring leads in: made, shown once, revoked.
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { laterKeys } from '#data/later-keys.ts'

const timeMs = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
)

/** The sources with a reading of their own, as the server names them, in the order in which they are offered. */
export const KINDS = [
  'olx',
  'imovelweb',
  'chavesnamao',
  'meta',
  'google',
  'rdstation',
  'email',
  'form',
] as const

const KeyRows = v.object({
  keys: v.array(
    v.pipe(
      v.object({
        id: v.string(),
        kind: v.picklist(KINDS),
        name: v.string(),
        perMinute: v.number(),
        createdBy: v.string(),
        createdAt: timeMs,
        usedAt: v.nullable(timeMs),
        revokedAt: v.nullable(timeMs),
        leads: v.number(),
        waiting: v.number(),
        failed: v.number(),
      }),
      v.transform(({ createdAt, usedAt, revokedAt, leads, waiting, failed, ...key }) => ({
        ...key,
        createdAtMs: createdAt,
        usedAtMs: usedAt,
        revokedAtMs: revokedAt,
        leadCount: leads,
        /** Of Meta: told of, still to be read there, and such that could not be. */
        waitingCount: waiting,
        failedCount: failed,
      })),
    ),
  ),
})

export type IntakeKey = v.InferOutput<typeof KeyRows>['keys'][number]

const NEWS_EVERY_MS = 60_000

/** Those in use first. */
export function intakeKeysQuery() {
  return queryOptions({
    queryKey: laterKeys.intakeKeys(),
    queryFn: async ({ signal }): Promise<readonly IntakeKey[]> =>
      v.parse(KeyRows, await portal('/api/leads/keys', { signal })).keys,
    // Leads come in without a word here.
    staleTime: 0,
    refetchInterval: NEWS_EVERY_MS,
  })
}

export type NewIntakeKey = {
  operationId: string
  kind: IntakeKey['kind']
  name: string
  perMinute: number
  settings: {
    source?: string
    campaign?: string
    development?: string
    /** Where ours stands in a foreign payload: 'cliente.telefone' for `number`. */
    mapping?: Readonly<Record<string, string>>
    /** Of Meta, by the id of its form. */
    developmentByForm?: Readonly<Record<string, string>>
  }
  secrets: { appSecret?: string; verifyToken?: string; pageToken?: string }
}

const Made = v.object({ id: v.string(), key: v.optional(v.string()), path: v.optional(v.string()) })

/** What is shown this once: the address that a source posts to, the key in it, or the one that Meta is told as callback. */
export type MadeKey = { kind: IntakeKey['kind']; name: string; shown: string }

async function andRead(client: QueryClient, path: `/api/leads/keys${string}`, body: object) {
  try {
    return await portal(path, { method: 'POST', body })
  } finally {
    await client.invalidateQueries({ queryKey: laterKeys.intakeKeys() })
  }
}

/** The same operation answers the same key. Raises PortalError `request.invalid`, `intake-key.no-secret`. */
export function addIntakeKey() {
  return mutationOptions({
    mutationFn: async (intent: NewIntakeKey, { client }): Promise<MadeKey> => {
      const { key, path } = v.parse(Made, await andRead(client, '/api/leads/keys', intent))
      return {
        kind: intent.kind,
        name: intent.name,
        shown: `${location.origin}${path ?? `/api/leads?key=${key}`}`,
      }
    },
  })
}

/** From now on it brings nothing in; again changes nothing. */
export function revokeIntakeKey() {
  return mutationOptions({
    mutationFn: async (id: string, { client }) => {
      await andRead(client, `/api/leads/keys/${id}/revoke`, {})
    },
  })
}
