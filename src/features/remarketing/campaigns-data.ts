// Reads a broker's campaigns: possible recipients, and the running one. Starts a campaign.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { upload } from '#api/upload.ts'
import { CAMPAIGN_STATUS, type CampaignStatus, EXCLUSION, type Exclusion } from '#domain/campaign.ts'
import type { OutgoingFile } from '#offline/stores.ts'
import { readCampaignsAgain } from './progress/steering-data.ts'
import { cachedOffline } from '#data/cached-offline.ts'
import { keys } from '#data/keys.ts'

/** A status that this version of the app does not know counts as an error. */
export const Status = v.fallback(v.picklist(Object.keys(CAMPAIGN_STATUS) as CampaignStatus[]), 'error')
const time = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
)
const moment = v.nullish(time, null)

const PacingAnswer = v.object({
  opensAt: v.number(),
  closesAt: v.number(),
  sendsOnSundays: v.boolean(),
  dailyCap: v.number(),
  warmUpFrom: v.number(),
  warmUpDays: v.number(),
  restDays: v.number(),
  sentToday: v.number(),
  earlierDays: v.number(),
  stepMs: v.number(),
  zone: v.string(),
})

/** The sending rules, how many messages went out today, and how long it usually is from one message to the next. */
export type Pacing = v.InferOutput<typeof PacingAnswer>

const CandidatesAnswer = v.object({
  contacts: v.array(
    v.object({
      contactId: v.number(),
      exclusion: v.nullable(v.picklist(Object.keys(EXCLUSION) as Exclusion[])),
    }),
  ),
  pacing: PacingAnswer,
})

/** `exclusions` tells for each contact why it may not get the campaign; null means that it may. */
export type Candidates = { exclusions: ReadonlyMap<number, Exclusion | null>; pacing: Pacing }

/** Reads which leads of a stage could get a campaign now. */
export function candidatesQuery(instanceName: string, stageSlug: string) {
  return queryOptions({
    queryKey: [...keys.campaignResults(instanceName), 'candidates', stageSlug],
    queryFn: cachedOffline(
      { kind: 'campaign-candidates', most: 8, version: 1 },
      async ({ signal }): Promise<Candidates> => {
        const stage = encodeURIComponent(stageSlug)
        const answer = v.parse(
          CandidatesAnswer,
          await portal(`/api/campaigns/candidates?stage=${stage}`, { signal }),
        )
        const exclusions = new Map(answer.contacts.map(({ contactId, exclusion }) => [contactId, exclusion]))
        return { exclusions, pacing: answer.pacing }
      },
    ),
    enabled: stageSlug !== '',
    staleTime: 0,
  })
}

const CampaignAnswer = v.object({ id: v.number(), status: Status })

const ActiveAnswer = v.object({
  campaign: v.nullable(
    v.object({
      ...CampaignAnswer.entries,
      kanban_stage: v.string(),
      message: v.string(),
      total_contacts: v.number(),
      processed_contacts: v.number(),
      pause_reason: v.nullable(v.string()),
      wait_reason: v.nullable(v.string()),
      next_send_at: moment,
      scheduled_at: moment,
    }),
  ),
  counts: v.optional(v.record(v.string(), v.number()), {}),
  current: v.nullish(v.object({ name: v.nullable(v.string()) }), null),
  endsAt: v.optional(moment, null),
  nowMs: v.optional(v.number(), 0),
})

export type ActiveCampaign = {
  id: number
  status: CampaignStatus
  stageSlug: string
  message: string
  recipientCount: number
  sentCount: number
  failedCount: number
  /** How many recipients the campaign has not reached yet. */
  waitingCount: number
  pauseReason: string | null
  waitReason: string | null
  currentName: string | null
  /** When the next message goes out, in the time of this device's clock. */
  nextAtMs: number | null
  scheduledAtMs: number | null
  endsAtMs: number | null
}

const REFRESH_MS = 30_000

/** Reads the running campaign, or null; it is read again after each of its steps. */
export function activeCampaignQuery(instanceName: string) {
  return queryOptions({
    queryKey: keys.activeCampaign(instanceName),
    queryFn: cachedOffline(
      { kind: 'campaign-active', most: 1, version: 1 },
      async ({ client, queryKey, signal }): Promise<ActiveCampaign | null> => {
        const active = toActive(v.parse(ActiveAnswer, await portal('/api/campaigns/active', { signal })))
        const before = client.getQueryData<ActiveCampaign | null>(queryKey)
        // A sent message changes only the running campaign. Past campaigns are read again when it starts, changes its
        // status or ends.
        if (before !== undefined && (before?.id !== active?.id || before?.status !== active?.status))
          void client.invalidateQueries({ queryKey: keys.campaignResults(instanceName) })
        return active
      },
    ),
    // Polled too, in case the connection for live events is dead and nobody has noticed.
    refetchInterval: REFRESH_MS,
  })
}

function toActive(answer: v.InferOutput<typeof ActiveAnswer>): ActiveCampaign | null {
  const { campaign, counts, current, endsAt, nowMs } = answer
  if (!campaign) return null
  const aheadMs = nowMs - Date.now()
  const here = (ms: number | null) => ms && ms - aheadMs
  return {
    id: campaign.id,
    status: campaign.status,
    stageSlug: campaign.kanban_stage,
    message: campaign.message,
    recipientCount: campaign.total_contacts,
    sentCount: campaign.processed_contacts,
    failedCount: counts['failed'] ?? 0,
    waitingCount: (counts['pending'] ?? 0) + (counts['sending'] ?? 0),
    pauseReason: campaign.pause_reason,
    waitReason: campaign.wait_reason,
    currentName: current?.name ?? null,
    nextAtMs: here(campaign.next_send_at),
    scheduledAtMs: campaign.scheduled_at,
    endsAtMs: here(endsAt),
  }
}

export type NewCampaign = {
  operationId: string
  stage: string
  message: string
  contactIds: readonly number[]
  /** The start as ISO 8601 text; null starts the campaign now. */
  startsAt: string | null
  marks: boolean
}

type Start = { campaign: NewCampaign; file: OutgoingFile | null; onProgress: (ratio: number) => void }

/**
 * Starts a campaign. Repeating an operation id starts no second one. Throws the server's PortalError, whose text is
 * Portuguese.
 */
export function startCampaign(instanceName: string) {
  return mutationOptions({
    mutationFn: async ({ campaign, file, onProgress }: Start, { client }) => {
      const answer = file
        ? await upload({
            path: '/api/campaigns',
            body: withFile(campaign, file),
            onProgress,
            signal: new AbortController().signal,
          })
        : await portal('/api/campaigns', { method: 'POST', body: campaign })
      await readCampaignsAgain(client, instanceName)
      return v.parse(v.object({ campaign: CampaignAnswer }), answer).campaign
    },
  })
}

function withFile(campaign: NewCampaign, { file, ...media }: OutgoingFile): FormData {
  const body = new FormData()
  body.append('message', JSON.stringify({ ...campaign, media }))
  body.append('file', file, media.fileName)
  return body
}
