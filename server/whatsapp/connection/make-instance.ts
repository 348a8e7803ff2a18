// Creates an instance at the gateway.
import { randomUUID } from 'node:crypto'
import type { Clock } from '#server/clock.ts'
import { GatewayError, type Gateway, type WebhookSetup } from '#server/gateway.ts'

const CREATE_TRIES = 10
const CREATE_AGAIN_MS = 1_000

/** Deleting takes the gateway a moment, during which the name is taken; creation is retried. */
export async function makeInstance(
  { gateway, clock }: { gateway: Gateway; clock: Clock },
  instanceName: string,
  webhook: WebhookSetup,
): Promise<{ instanceId: string }> {
  for (let left = CREATE_TRIES; ; left--)
    try {
      return await gateway.createInstance({ instanceName, token: randomUUID().toUpperCase(), webhook })
    } catch (error) {
      const isPassing = error instanceof GatewayError && error.fault === 'name-taken'
      if (!isPassing || left === 1) throw error
      await clock.sleep(CREATE_AGAIN_MS)
    }
}
