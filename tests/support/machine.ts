// Other systems with tokens, as they use /api/v1.
import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { expect } from 'vitest'
import type { MachineGrant } from '#domain/machine.ts'
import { createServiceTokens } from '#server/auth/tokens/service-tokens.ts'
import { createTokens } from '#server/auth/tokens/token.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { OPERATIONS } from '#server/machine/operations.ts'
import { JWT_SECRET } from '#tests/support/whatsapp.ts'

type Portal = { clock: Clock; request: (path: string, init?: RequestInit) => Response | Promise<Response> }

export function createMachines(db: Database, portal: Portal) {
  const services = createServiceTokens({
    db,
    clock: portal.clock,
    tokens: createTokens(JWT_SECRET, portal.clock),
  })
  const machine = async (...grants: MachineGrant[]) => {
    const { token, service } = await services.mint({ name: 'n8n', grants, days: 30 })
    async function ask(
      path: string,
      body?: unknown,
      { key = randomUUID(), method = 'POST' }: { key?: string | null; method?: string } = {},
    ) {
      const response = await portal.request(`/api/v1${path}`, {
        ...(body === undefined ? {} : { method, body: JSON.stringify(body) }),
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined || key === null ? {} : { 'idempotency-key': key }),
        },
      })
      return {
        status: response.status,
        headers: response.headers,
        body: (await response.json()) as Record<string, never>,
      }
    }
    return { ask, service, token }
  }
  return { services, machine }
}

/** Checks an answer against the OpenAPI contract. */
export function expectContract(id: string, body: unknown): void {
  const { answer } = OPERATIONS.find((operation) => operation.id === id)!
  const read = v.safeParse(answer, body)
  expect([id, read.issues]).toEqual([id, undefined])
}
