// Reads and changes rotations, for administrators. A rotation is saved together with its brokers and rules.
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal, rows, rpc } from '#api/client.ts'
import { deleteRows, insertRow } from '#api/table-write.ts'
import { PortalError } from '#domain/errors.ts'
import type { Rotation, RotationDetails, RotationPlan } from '#domain/rotation/editing.ts'
import { cachedOffline } from '#data/cached-offline.ts'
import { keys } from '#data/keys.ts'

const RotationRows = v.array(
  v.pipe(
    v.object({
      id: v.number(),
      empreendimento: v.string(),
      ativa: v.boolean(),
      total_corretores: v.number(),
      created_at: v.string(),
    }),
    v.transform((row): Rotation => ({
      id: row.id,
      name: row.empreendimento,
      isActive: row.ativa,
      seatCount: row.total_corretores,
      createdAtMs: Date.parse(row.created_at),
    })),
  ),
)

export function rotationsQuery() {
  return queryOptions({
    queryKey: keys.rotationList(),
    queryFn: cachedOffline({ kind: 'roletas', most: 1, version: 1 }, async ({ signal }) =>
      v.parse(RotationRows, await rpc('listar_roletas_com_corretores', {}, signal)),
    ),
  })
}

const TeamRows = v.object({ teams: v.array(v.object({ id: v.string(), name: v.string() })) })

/** Reads the teams that a rotation can belong to. Only administrators may read them. */
export function teamNamesQuery() {
  return queryOptions({
    queryKey: [...keys.brokers(), 'team-names'],
    queryFn: async ({ signal }) => v.parse(TeamRows, await portal('/api/teams', { signal })).teams,
  })
}

const SeatRow = v.object({
  instanceName: v.string(),
  weight: v.number(),
  shifts: v.nullable(v.array(v.object({ days: v.array(v.number()), from: v.number(), to: v.number() }))),
  dailyCap: v.nullable(v.number()),
  isActive: v.boolean(),
})

const DetailsRow = v.object({
  id: v.number(),
  name: v.string(),
  isActive: v.boolean(),
  version: v.string(),
  settings: v.object({
    needsAcceptance: v.boolean(),
    acceptMinutes: v.number(),
    answerMinutes: v.nullable(v.number()),
    targetMinutes: v.nullable(v.number()),
    listerFirst: v.optional(v.boolean()),
    teamId: v.optional(v.nullable(v.string())),
    maxHops: v.number(),
    textCode: v.nullable(v.string()),
  }),
  seats: v.array(SeatRow),
  leadsReceived: v.record(v.string(), v.number()),
})

export function rotationQuery(id: number) {
  return queryOptions({
    queryKey: keys.rotation(id),
    queryFn: cachedOffline(
      { kind: 'roleta', most: 20, version: 1 },
      async ({ signal }): Promise<RotationDetails> =>
        v.parse(DetailsRow, await portal(`/api/roleta/${id}`, { signal })),
    ),
    // Always read again when the dialog opens, because the user opens it to change something.
    staleTime: 0,
  })
}

const SeatableRows = v.array(v.object({ instanceName: v.string() }))

/** The instance names of the active brokers. Central numbers are left out, because they belong to no broker. */
export function seatableQuery() {
  return queryOptions({
    queryKey: keys.seatable(),
    queryFn: async ({ signal }) => {
      const asked = {
        select: 'instanceName',
        status: 'eq.ativo',
        central_since: 'is.null',
        order: 'instanceName',
      }
      return v
        .parse(SeatableRows, await rows('brokers', asked, signal))
        .map(({ instanceName }) => instanceName)
    },
  })
}

/**
 * Reads everything about rotations again, even after an error: the server may have made the change although its
 * response was lost.
 */
async function andRead<T>(client: QueryClient, asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } finally {
    await client.invalidateQueries({ queryKey: keys.rotations() })
  }
}

/**
 * Adds a rotation, which is active at once. A retry is harmless, because the name must be unique. Throws PortalError
 * `roleta.taken`.
 */
export function addRotation() {
  return mutationOptions({
    mutationFn: (name: string, { client }) => andRead(client, insert(name.trim())),
  })
}

async function insert(name: string) {
  try {
    await insertRow('roletas', { empreendimento: name, ativa: true })
  } catch (error) {
    if (!(error instanceof PortalError) || error.status !== 409) throw error
    throw new PortalError('roleta.taken', 'Já existe uma roleta com este nome.', { status: 409 })
  }
}

/** Deletes a rotation and its seats in one transaction. */
export function removeRotation() {
  return mutationOptions({
    mutationFn: ({ id }: Rotation, { client }) => andRead(client, deleteRows('roletas', { id: `eq.${id}` })),
  })
}

export type RotationSwitch = { id: number; isActive: boolean }

/** Switches a rotation on or off. The screen shows it at once, and the next read corrects the screen if needed. */
export function switchRotation() {
  return mutationOptions({
    onMutate: async ({ id, isActive }: RotationSwitch, { client }) => {
      const queryKey = keys.rotationList()
      await client.cancelQueries({ queryKey })
      client.setQueryData<Rotation[]>(queryKey, (rotations) =>
        rotations?.map((each) => (each.id === id ? { ...each, isActive } : each)),
      )
    },
    mutationFn: async ({ id, isActive }: RotationSwitch, { client }) => {
      await andRead(client, rpc('set_roleta_ativa', { roleta_id: id, nova_ativa: isActive }))
    },
    scope: { id: 'roletas' },
  })
}

export type RotationSave = { operationId: string; version: string; roleta: RotationPlan }

/**
 * Saves the rotation, its seats and its rules in one transaction. Repeating an operation id has no further effect.
 * Throws PortalError `roleta.changed` if somebody else has saved since, `roleta.taken`, `roleta.code-taken`,
 * `roleta.no-broker`.
 */
export function saveRotation(id: number) {
  return mutationOptions({
    mutationFn: async (body: RotationSave, { client }): Promise<void> => {
      const answer = await portal(`/api/roleta/${id}/save`, { method: 'POST', body })
      client.setQueryData<RotationDetails>(keys.rotation(id), v.parse(DetailsRow, answer))
      void client.invalidateQueries({ queryKey: keys.rotations() })
    },
  })
}

const SimulationRow = v.object({ byBroker: v.record(v.string(), v.number()), withoutBroker: v.number() })
const ReplayRow = v.object({ leads: v.number(), standing: SimulationRow, wanted: SimulationRow })

/** A simulation: how last month's leads would have been distributed by the current rules and by the edited ones. */
export type Replay = v.InferOutput<typeof ReplayRow>

export function replayRotation(id: number) {
  return mutationOptions({
    mutationFn: async (body: RotationPlan): Promise<Replay> =>
      v.parse(ReplayRow, await portal(`/api/roleta/${id}/simulate`, { method: 'POST', body })),
  })
}

const ShareRows = v.object({
  shares: v.array(
    v.object({
      instanceName: v.string(),
      weight: v.number(),
      kinds: v.record(v.string(), v.number()),
      why: v.array(v.string()),
    }),
  ),
})

/** How many of a rotation's leads a broker got in the last 30 days, and why it was not more. */
export type Share = v.InferOutput<typeof ShareRows>['shares'][number]

export function sharesQuery(id: number) {
  return queryOptions({
    queryKey: keys.rotationShares(id),
    queryFn: async ({ signal }): Promise<readonly Share[]> =>
      v.parse(ShareRows, await portal(`/api/roleta/${id}/shares`, { signal })).shares,
  })
}
