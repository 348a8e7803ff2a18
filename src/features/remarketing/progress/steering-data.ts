// A user's commands to a campaign: pause, resume, stop, retry, and settle messages with an unknown result.
import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { portal } from '#api/client.ts'
import type { Campaign } from '#domain/campaign.ts'
import { keys } from '#data/keys.ts'
import { isPassing } from '#data/query-client.ts'

export type Intent = 'pause' | 'resume' | 'stop' | 'retry'
export type Steering = { intent: Intent; operationId: string }

/** Throws PortalError `campaign.active`, `campaign.ended`, `campaign.none-failed`. */
export function steerCampaign({ id, instanceName }: Pick<Campaign, 'id' | 'instanceName'>) {
  return steeringOptions<Steering>(instanceName, ({ intent }) => `/api/campaigns/${id}/${intent}`)
}

/** Send it again, or count it as sent. */
export type Settlement = 'again' | 'sent'
export type Settling = { recipientId: number; settlement: Settlement; operationId: string }

/** Throws PortalError `campaign.settled`, `campaign.active`, `message.retried`. */
export function settleRecipient({ id, instanceName }: Pick<Campaign, 'id' | 'instanceName'>) {
  return steeringOptions<Settling>(
    instanceName,
    ({ recipientId, settlement }) => `/api/campaigns/${id}/recipients/${recipientId}/${settlement}`,
  )
}

/**
 * After a lost response the request is repeated with the same operation id: it is applied once, and no error is shown.
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
