// The rules for all campaigns: when and how much they send, and who gets none.
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { rows, rpc } from '#api/client.ts'
import type { SendingPolicy } from '#domain/campaign.ts'
import { cachedOffline } from './cached-offline.ts'
import { keys } from './keys.ts'

const SettingsRow = v.object({
  opens_at: v.number(),
  closes_at: v.number(),
  sends_on_sundays: v.boolean(),
  daily_cap: v.number(),
  warm_up_from: v.number(),
  warm_up_days: v.number(),
  rest_days: v.number(),
})

/** `restDays`: a contact gets no campaign for this many days after the last one. */
export type CampaignSettings = SendingPolicy & { restDays: number }

export function settingsQuery() {
  return queryOptions({
    queryKey: keys.campaignSettings(),
    queryFn: cachedOffline(
      { kind: 'campaign-settings', most: 1, version: 1 },
      async ({ signal }): Promise<CampaignSettings> => {
        const select = Object.keys(SettingsRow.entries).join()
        const answer = await rows('campaign_settings', { select }, signal)
        const [row] = v.parse(v.tuple([SettingsRow]), answer)
        return {
          opensAt: row.opens_at,
          closesAt: row.closes_at,
          sendsOnSundays: row.sends_on_sundays,
          dailyCap: row.daily_cap,
          warmUpFrom: row.warm_up_from,
          warmUpDays: row.warm_up_days,
          restDays: row.rest_days,
        }
      },
    ),
  })
}

/** Saves the rules; only administrators may. Throws the server's text if a value is invalid. */
export function saveSettings() {
  return mutationOptions({
    mutationFn: async (settings: CampaignSettings, { client }) => {
      await rpc('save_campaign_settings', {
        p_opens_at: settings.opensAt,
        p_closes_at: settings.closesAt,
        p_sends_on_sundays: settings.sendsOnSundays,
        p_daily_cap: settings.dailyCap,
        p_warm_up_from: settings.warmUpFrom,
        p_warm_up_days: settings.warmUpDays,
        p_rest_days: settings.restDays,
      })
      await client.invalidateQueries({ queryKey: keys.campaignSettings() })
    },
  })
}

/** get_opt_outs returns this many people per page. */
const PAGE = 50

const OptOutRows = v.array(
  v.object({
    contact_id: v.number(),
    name: v.nullable(v.string()),
    number: v.nullable(v.string()),
    instanceName: v.string(),
    opted_out_at: v.string(),
  }),
)

export type OptOut = {
  contactId: number
  name: string | null
  number: string | null
  instanceName: string
  atMs: number
}

/** Reads the first `pages` pages of people who opted out, latest first; only administrators may read them. */
export function optOutsQuery(pages: number) {
  return queryOptions({
    queryKey: [...keys.optOuts(), pages],
    queryFn: async ({ signal }): Promise<{ people: readonly OptOut[]; hasMore: boolean }> => {
      const found: v.InferOutput<typeof OptOutRows> = []
      let hasMore = true
      for (let page = 0; page < pages && hasMore; page++) {
        const last = found.at(-1)
        const cursor = last ? { p_cursor: last.opted_out_at, p_id_cursor: last.contact_id } : {}
        const next = v.parse(OptOutRows, await rpc('get_opt_outs', cursor, signal))
        found.push(...next)
        hasMore = next.length === PAGE
      }
      const people = found.map(({ contact_id: contactId, opted_out_at: at, ...person }) => ({
        ...person,
        contactId,
        atMs: Date.parse(at),
      }))
      return { people, hasMore }
    },
    placeholderData: keepPreviousData,
  })
}

/** Ends an opt-out, so that campaigns of every broker may write to this person again. Only administrators may. */
export function undoOptOut() {
  return mutationOptions({
    mutationFn: async ({ contactId }: Pick<OptOut, 'contactId' | 'name' | 'number'>, { client }) => {
      await rpc('undo_opt_out', { p_contact_id: contactId })
      await client.invalidateQueries({ queryKey: keys.optOuts() })
    },
  })
}
