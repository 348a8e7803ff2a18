// Sends a user's commands to a campaign: pause, resume, stop, retry, and settle messages with an unknown result.
import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { portal } from '#api/client.ts'
import type { Campaign } from '#domain/campaign.ts'
import { keys } from '#data/keys.ts'
import { isPassing } from '#data/query-client.ts'

export type Intent = 'pause' | 'resume' | 'stop' | 'retry'
export type Steering = { intent: Intent; operationId: string }

/** Sends a command to a campaign. Throws PortalError `campaign.active`, `campaign.ended`, `campaign.none-failed`. */
export function steerCampaign({ id, instanceName }: Pick<Campaign, 'id' | 'instanceName'>) {
  return steeringOptions<Steering>(instanceName, ({ intent }) => `/api/campaigns/${id}/${intent}`)
}

/** How a person settles a message with an unknown result: send it again, or count it as sent. */
export type Settlement = 'again' | 'sent'
export type Settling = { recipientId: number; settlement: Settlement; operationId: string }

/**
 * Settles a message with an unknown result. Throws PortalError `campaign.settled`, `campaign.active`,
 * `message.retried`.
 */
export function settleRecipient({ id, instanceName }: Pick<Campaign, 'id' | 'instanceName'>) {
  return steeringOptions<Settling>(
    instanceName,
    ({ recipientId, settlement }) => `/api/campaigns/${id}/recipients/${recipientId}/${settlement}`,
  )
}

/**
 * After a lost response the same command is sent again with its operation id: the server applies it only once, and the
 * user sees no error.
 */
function steeringOptions<T extends { operationId: string }>(
  instanceName: string,
  pathOf: (intent: T) => `/api/${string}`,
) {
  return mutationOptions({
    mutationFn: async (intent: T, { client }) => {
      try {
        await portal(pathOf(intent), { method: 'POST', body: { operationId: intent.operationId } })
      } finally {
        await readCampaignsAgain(client, instanceName)
      }
    },
    retry: (failures, error) => failures === 0 && isPassing(error),
  })
}

export async function readCampaignsAgain(client: QueryClient, instanceName: string) {
  await Promise.all(
    [keys.campaigns(instanceName), keys.campaignReport()].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  )
}
