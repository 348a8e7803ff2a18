// Rotations outside the screen: another administrator, a website's form.
import { randomUUID } from 'node:crypto'
import { call } from '#tests/support/portal.ts'
import { ADMIN, tokenOf } from '#tests/support/browser/session.ts'

export const MIRANTE = 'Mirante do Lago'

type Plan = { name: string; settings: Record<string, unknown>; seats: { instanceName: string }[] }

type Details = Plan & { version: string }

type OpenCase = { name: string; state: string; holder: string | null }

/** Another administrator, or a website's form. */
export async function besides(origin: string) {
  const token = await tokenOf(origin, ADMIN)
  const ask = async <T>(path: string, body?: unknown) =>
    (await call<T>(`${origin}${path}`, body === undefined ? { token } : { token, body })).body
  const idOf = async (name: string) => {
    const rows = await ask<{ id: number; empreendimento: string }[]>(
      '/rest/v1/rpc/listar_roletas_com_corretores',
      {},
    )
    return rows.find((row) => row.empreendimento === name)?.id ?? 0
  }
  return {
    /** Saves a rotation with other settings, and the rest unchanged. */
    set: async (name: string, settings: Record<string, unknown>) => {
      const id = await idOf(name)
      const { version, name: nameBefore, settings: before, seats } = await ask<Details>(`/api/roleta/${id}`)
      await ask(`/api/roleta/${id}/save`, {
        operationId: randomUUID(),
        version,
        roleta: { name: nameBefore, settings: { ...before, ...settings }, seats },
      })
    },
    /** A rotation of these brokers, in this order. */
    make: async (name: string, usernames: readonly string[]) => {
      await ask('/rest/v1/roletas', { empreendimento: name, ativa: true })
      for (const [index, username] of usernames.entries())
        await ask('/rest/v1/roleta_corretores', {
          roletaName: name,
          instanceName: `corretor_${username}`,
          ordem: index + 1,
        })
    },
    newKey: async (name: string) =>
      (await ask<{ key: string }>('/api/leads/keys', { operationId: randomUUID(), kind: 'form', name })).key,
    open: async () => (await ask<{ cases: OpenCase[] }>('/api/roleta/open')).cases,
  }
}

export const bring = (origin: string, key: string, lead: Record<string, string>) =>
  call<{ status: string }>(`${origin}/api/leads?key=${key}`, { body: lead })
