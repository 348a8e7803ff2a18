// Restarts linked sessions that failed: the server gives up after some failing logins, and never tries again.
import * as v from 'valibot'
import type { Clock } from '#server/clock.ts'
import { GatewayError } from '#server/gateway.ts'
import type { Session } from './answers.ts'
import type { Ask } from './client.ts'
import { webhookIn } from './config.ts'

const FIRST_MS = 60_000
const LONGEST_MS = 30 * 60_000

/** Called with every list of sessions, which the portal reads twice a minute. Sessions of other systems are left alone. */
export function createRevival(ask: Ask, clock: Pick<Clock, 'now'>) {
  const tries = new Map<string, { waitMs: number; atMs: number }>()

  return async (sessions: readonly Session[]): Promise<void> => {
    for (const { name, status, me, config } of sessions) {
      if (status === 'WORKING') tries.delete(name)
      if (status !== 'FAILED' || me === null || !webhookIn(config)?.url.includes(`/webhook/${name}/`))
        continue
      const last = tries.get(name)
      if (last && clock.now() - last.atMs < last.waitMs) continue
      tries.set(name, { waitMs: Math.min(last ? last.waitMs * 2 : FIRST_MS, LONGEST_MS), atMs: clock.now() })
      const path = `/api/sessions/${name}/restart`
      const call = { operation: 'restart', method: 'POST', path, instanceName: name } as const
      await ask(v.unknown(), call).catch((error: unknown) => {
        if (!(error instanceof GatewayError)) throw error
      })
    }
  }
}
