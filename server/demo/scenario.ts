// All data of the demonstration as plain values; deterministic for a moment and time zone.
import { makeBrokers, type DemoBroker } from './agency/brokers.ts'
import { createCalendar, type Calendar } from './calendar.ts'
import { runCampaigns, type DemoCampaign } from './leads/campaigns.ts'
import { drawLeads } from './leads/draw-leads.ts'
import { createRandom, type Random } from './random.ts'
import type { DemoLead } from './leads/story.ts'

const SEED = 20_261_121

export type Scenario = {
  calendar: Calendar
  random: Random
  brokers: readonly DemoBroker[]
  leads: readonly DemoLead[]
  campaigns: readonly DemoCampaign[]
}

/** `now` in epoch seconds, `utcOffset` of the portal's zone in seconds. */
export function makeScenario(now: number, utcOffset: number): Scenario {
  const random = createRandom(SEED)
  const calendar = createCalendar(now, utcOffset)
  const brokers = makeBrokers(random)
  const drawn = drawLeads(brokers, { calendar, random })
  return { calendar, random, brokers, ...runCampaigns(drawn, calendar, random) }
}
