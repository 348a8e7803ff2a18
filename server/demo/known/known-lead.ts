// How a lead of the mockups is written down.
import type { StageSlug } from '../leads/arcs.ts'
import type { Gender } from '../house/brokers.ts'

/** Minutes ago, or that many days ago at an hour of the day. */
export type When = number | { daysAgo: number; hour: number }
type Line = readonly ['lead' | 'broker', When, string]

export type KnownLead = {
  name: string | null
  gender: Gender
  number: string
  source: string
  adCampaign?: string
  development: string
  notes?: string
  moves?: readonly (readonly [When, StageSlug])[]
  lines: readonly Line[]
}

export const daysAgo = (daysAgo: number, hour: number): When => ({ daysAgo, hour })
export const yesterday = (hour: number): When => daysAgo(1, hour)
