// Tells screen readers about each finished quarter of a campaign, not about each message.
import { useEffect, useRef } from 'react'
import type { ActiveCampaign } from '../campaigns-data.ts'
import { sendRatio } from '#domain/campaign.ts'
import { announce } from '#ui/feedback/toast.ts'

const percentSent = (percent: number) => `${percent}% enviado`

const QUARTERS = 4

export function useMilestones(campaign: ActiveCampaign) {
  const quarter = Math.floor(sendRatio(campaign) * QUARTERS)
  const said = useRef(quarter)
  useEffect(() => {
    if (quarter > said.current) announce(percentSent((quarter * 100) / QUARTERS))
    said.current = quarter
  }, [quarter])
}
