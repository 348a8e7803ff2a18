// Administrators among one another, and one's own second step.
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { confirmApp, removeApps, startApp } from '#api/factors.ts'
import { keys } from '#data/keys.ts'
import { newOperationId } from '#data/operation.ts'

const AdminRows = v.array(
  v.pipe(
    v.object({
      id: v.string(),
      username: v.string(),
      hasPassword: v.boolean(),
      hasSecondStep: v.boolean(),
      seenAt: v.nullable(v.string()),
    }),
    v.transform(({ seenAt, ...row }) => ({ ...row, seenAtMs: seenAt === null ? null : Date.parse(seenAt) })),
  ),
)

export type Admin = v.InferOutput<typeof AdminRows>[number]

export function adminsQuery() {
  return queryOptions({
    queryKey: keys.admins(),
    queryFn: async ({ signal }) => v.parse(AdminRows, await portal('/api/admins', { signal })),
  })
}

const Invited = v.object({ username: v.string(), invite: v.string() })

/** The one-time link of a first access. */
export type AdminInvitation = { username: string; link: string }

function toInvitation(answer: unknown): AdminInvitation {
  const { username, invite } = v.parse(Invited, answer)
  const search = new URLSearchParams({ usuario: username, convite: invite })
  return { username, link: `${location.origin}/panel?${search.toString()}` }
}

/** What was asked for may be done though its answer was lost: the list is read again either way. */
async function ask(client: QueryClient, path: `/api/admins${string}`, body: object): Promise<unknown> {
  try {
    return await portal(path, { method: 'POST', body })
  } finally {
    await client.invalidateQueries({ queryKey: keys.admins() })
  }
}

export type AdminIntent = { operationId: string; username: string }

/** Raises PortalError `admin.taken`. The same operation twice is done once. */
export function addAdmin() {
  return mutationOptions({
    mutationFn: async (intent: AdminIntent, { client }) =>
      toInvitation(await ask(client, '/api/admins', intent)),
  })
}

/** Takes password, second step and sessions away. Raises PortalError `admin.unknown`, `admin.self`. */
export function resetAdmin() {
  return mutationOptions({
    mutationFn: async ({ id }: { id: string }, { client }) =>
      toInvitation(await ask(client, `/api/admins/${id}/reset`, { operationId: newOperationId() })),
  })
}

/** Raises PortalError `admin.unknown`, `admin.self`. */
export function removeAdmin() {
  return mutationOptions({
    mutationFn: async ({ id }: { id: string }, { client }) => {
      await ask(client, `/api/admins/${id}/remove`, { operationId: newOperationId() })
    },
  })
}

const SecondStep = v.object({ isOn: v.boolean(), codesLeft: v.number() })

export function secondStepQuery() {
  return queryOptions({
    queryKey: keys.secondStep(),
    queryFn: async ({ signal }) => v.parse(SecondStep, await portal('/api/account/second-step', { signal })),
  })
}

/** An app to be scanned. Asked for again it would be another one, and the code of the first would be wrong: only a person does. */
export function newAppQuery() {
  return queryOptions({
    queryKey: keys.newApp(),
    queryFn: startApp,
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  })
}

const Codes = v.object({ codes: v.array(v.string()) })

async function renew(client: QueryClient, operationId: string): Promise<string[]> {
  const answer = await portal('/api/account/recovery-codes', { method: 'POST', body: { operationId } })
  await client.invalidateQueries({ queryKey: keys.secondStep() })
  return v.parse(Codes, answer).codes
}

/** Puts new codes in the place of all earlier ones and answers them, this once. The same operation answers the same. */
export function renewCodes() {
  return mutationOptions({
    mutationFn: ({ operationId }: { operationId: string }, { client }) => renew(client, operationId),
  })
}

/** Proves the app by a code of it: from then on it is asked for. Raises PortalError `mfa_verification_failed`. */
export function turnOn() {
  return mutationOptions({
    mutationFn: async ({ id, code }: { id: string; code: string }, { client }) => {
      await confirmApp(id, code)
      await client.invalidateQueries({ queryKey: keys.secondStep() })
    },
  })
}

export function turnOff() {
  return mutationOptions({
    mutationFn: async (_: void, { client }) => {
      await removeApps()
      await client.invalidateQueries({ queryKey: keys.secondStep() })
    },
  })
}
