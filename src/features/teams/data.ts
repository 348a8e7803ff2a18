// Reads teams with their brokers and gerentes, and changes them. Screens show a change at once; then the list is read
// again.
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { keys } from '#data/keys.ts'
import { newOperationId } from '#data/operation.ts'
import { toPanelInvitation } from '#data/panel-invitation.ts'

const TeamBroker = v.object({
  id: v.string(),
  instanceName: v.string(),
  isLinked: v.boolean(),
  leads: v.number(),
})
const Manager = v.object({
  id: v.string(),
  username: v.string(),
  isBroker: v.boolean(),
  hasPassword: v.boolean(),
})
const Team = v.object({
  id: v.string(),
  name: v.string(),
  managers: v.array(Manager),
  brokers: v.array(TeamBroker),
})
const Teams = v.object({ teams: v.array(Team), others: v.array(TeamBroker), managers: v.array(Manager) })

export type TeamBroker = v.InferOutput<typeof TeamBroker>
export type Manager = v.InferOutput<typeof Manager>
export type Team = v.InferOutput<typeof Team>
export type Teams = v.InferOutput<typeof Teams>

/** Starts with the brokers' key, because the same live events make both outdated. */
const KEY = [...keys.brokers(), 'teams']

export function teamsQuery() {
  return queryOptions({
    queryKey: KEY,
    queryFn: async ({ signal }) => v.parse(Teams, await portal('/api/teams', { signal })),
  })
}

/**
 * Sends a change and reads the list again, even after an error: the server may have made the change although its
 * response was lost.
 */
async function ask(client: QueryClient, path: string, body: object): Promise<unknown> {
  try {
    return await portal(`/api/teams${path}`, { method: 'POST', body })
  } finally {
    await client.invalidateQueries({ queryKey: KEY })
  }
}
const fresh = (body: object = {}) => ({ operationId: newOperationId(), ...body })

const Made = v.object({ id: v.string(), name: v.string() })

export type NameIntent = { operationId: string; name: string }

/** Adds a team. Repeating an operation id has no further effect. Throws PortalError `team.taken`, `team.name`. */
export function addTeam() {
  return mutationOptions({
    mutationFn: async (intent: NameIntent, { client }) => v.parse(Made, await ask(client, '', intent)),
  })
}

/** Gives a team another name. Throws PortalError `team.unknown`, `team.taken`, `team.name`. */
export function renameTeam(id: string) {
  return mutationOptions({
    mutationFn: async (intent: NameIntent, { client }) =>
      v.parse(Made, await ask(client, `/${id}/rename`, intent)),
  })
}

/** Deletes a team. Throws PortalError `team.unknown`. */
export function removeTeam() {
  return mutationOptions({
    mutationFn: ({ id }: Team, { client }) => ask(client, `/${id}/remove`, fresh()),
  })
}

/** Moves a broker into a team; `teamId` null takes the broker out of every team. */
export type Move = { broker: TeamBroker; teamId: string | null }

/** Returns the lists with the broker in the other team. A broker who led the former team no longer leads it. */
function withMove({ teams, others, managers }: Teams, { broker, teamId }: Move): Teams {
  const placed = (brokers: TeamBroker[], isThere: boolean) => {
    const rest = brokers.filter(({ id }) => id !== broker.id)
    return isThere ? [...rest, broker].toSorted((a, b) => (a.instanceName < b.instanceName ? -1 : 1)) : rest
  }
  return {
    teams: teams.map((team) => ({
      ...team,
      brokers: placed(team.brokers, team.id === teamId),
      managers: team.id === teamId ? team.managers : team.managers.filter(({ id }) => id !== broker.id),
    })),
    others: placed(others, teamId === null),
    managers,
  }
}

/** Moves a broker to another team. Throws PortalError `broker.unknown`, `team.unknown`. */
export function moveBroker() {
  return mutationOptions({
    onMutate: async (move: Move, { client }) => {
      await client.cancelQueries({ queryKey: KEY })
      client.setQueryData<Teams>(KEY, (teams) => teams && withMove(teams, move))
    },
    mutationFn: ({ broker, teamId }: Move, { client }) =>
      ask(client, `/brokers/${broker.id}/move`, fresh({ team: teamId })),
  })
}

/** Who stops leading the team (`from`) and who leads it from now on (`to`); null stands for nobody. */
export type ManagerChange = { from: string | null; to: string | null }

/** Changes who leads a team. Throws PortalError `team.unknown`, `manager.unknown`. */
export function changeManager({ id }: Team) {
  return mutationOptions({
    mutationFn: (change: ManagerChange, { client }) => ask(client, `/${id}/manager`, fresh(change)),
  })
}

export type ManagerIntent = { operationId: string; username: string }

/**
 * Adds an account for a gerente who only leads. Repeating an operation id has no further effect. Throws PortalError
 * `team.unknown`, `manager.taken`.
 */
export function addManager({ id }: Team) {
  return mutationOptions({
    mutationFn: async (intent: ManagerIntent, { client }) =>
      toPanelInvitation(await ask(client, `/${id}/managers`, intent)),
  })
}

/**
 * Deletes the gerente's password, second factor and sessions, so that a new link is needed. Throws PortalError
 * `manager.unknown`.
 */
export function resetManager() {
  return mutationOptions({
    mutationFn: async ({ id }: Manager, { client }) =>
      toPanelInvitation(await ask(client, `/managers/${id}/reset`, fresh())),
  })
}

/** Deletes a gerente's account. Throws PortalError `manager.unknown`. */
export function removeManager() {
  return mutationOptions({
    mutationFn: ({ id }: Manager, { client }) => ask(client, `/managers/${id}/remove`, fresh()),
  })
}
