// The list of administrators, and the user's own second factor.
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { confirmApp, removeApps, startApp } from '#api/factors.ts'
import { keys } from '#data/keys.ts'
import { newOperationId } from '#data/operation.ts'
import { toPanelInvitation } from '#data/panel-invitation.ts'

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

/**
 * Refetches the list even after an error, because the server may have made the change although its response was lost.
 */
async function ask(client: QueryClient, path: `/api/admins${string}`, body: object): Promise<unknown> {
  try {
    return await portal(path, { method: 'POST', body })
  } finally {
    await client.invalidateQueries({ queryKey: keys.admins() })
  }
}

export type AdminIntent = { operationId: string; username: string }

/** Throws PortalError `admin.taken`. Repeating an operation id has no further effect. */
export function addAdmin() {
  return mutationOptions({
    mutationFn: async (intent: AdminIntent, { client }) =>
      toPanelInvitation(await ask(client, '/api/admins', intent)),
  })
}

/** Deletes password, second factor and sessions. Throws PortalError `admin.unknown`, `admin.self`. */
export function resetAdmin() {
  return mutationOptions({
    mutationFn: async ({ id }: { id: string }, { client }) =>
      toPanelInvitation(await ask(client, `/api/admins/${id}/reset`, { operationId: newOperationId() })),
  })
}

/** Throws PortalError `admin.unknown`, `admin.self`. */
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

/**
 * Creates a new authenticator app entry to scan. Each fetch invalidates the codes of the previous one, so the query
 * never refetches by itself.
 */
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

/** Replaces all recovery codes and returns the new ones, once. Repeating the operation id returns the same. */
export function renewCodes() {
  return mutationOptions({
    mutationFn: ({ operationId }: { operationId: string }, { client }) => renew(client, operationId),
  })
}

/**
 * Turns the second factor on with a first code of the app; from then on sign-in requires a code. Throws PortalError
 * `mfa_verification_failed`.
 */
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
