// Says that a campaign, followed on this page, came to its end. Spec 4; DESIGN-SYSTEM 11.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { historyQuery } from '#data/campaign-reports.ts'
import type { ActiveCampaign } from '#data/campaigns.ts'
import { toast } from '#ui/toast.ts'
import { finished } from './texts.ts'

export function useFinish(instanceName: string, active: ActiveCampaign | null | undefined) {
  const client = useQueryClient()
  const followed = useRef<number>(null)
  const tell = useEffectEvent(async (id: number) => {
    // One that was stopped is told by who stopped it.
    const { campaigns } = await client.fetchQuery({ ...historyQuery(instanceName, 1), staleTime: 0 })
    const ended = campaigns.find((campaign) => campaign.id === id)
    if (ended?.status === 'completed') toast(finished(ended.sentCount, ended.recipientCount))
  })
  useEffect(() => {
    if (active === null && followed.current !== null) void tell(followed.current).catch(() => undefined)
    followed.current = active?.id ?? null
  }, [active])
}
