// Announces the end of a campaign that the user has followed on this page, even if a response was lost.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { historyQuery } from '../report/reports-data.ts'
import type { ActiveCampaign } from '../campaigns-data.ts'
import { toast } from '#ui/feedback/toast.ts'
import { endOf } from '../texts.ts'

export function useFinish(instanceName: string, active: ActiveCampaign | null | undefined) {
  const client = useQueryClient()
  const followed = useRef<number>(null)
  const showResult = useEffectEvent(async (id: number) => {
    const { campaigns } = await client.fetchQuery({ ...historyQuery(instanceName, 1), staleTime: 0 })
    const followed = campaigns.find((campaign) => campaign.id === id)
    const end = followed ? endOf(followed) : null
    if (end !== null) toast(end.words, end.tone)
  })
  useEffect(() => {
    if (active === null && followed.current !== null) void showResult(followed.current).catch(() => undefined)
    followed.current = active?.id ?? null
  }, [active])
}
