// A lead of the demonstration: its people, its messages and its moves.
import type { Speaker } from './beats.ts'
import type { StageSlug } from './arcs.ts'
import type { DemoBroker } from '../agency/brokers.ts'
import type { DemoPerson } from './people.ts'

/** `at` is in epoch seconds throughout the demonstration. */
export type DemoMessage = { at: number; by: Speaker | 'campaign'; body: string }

export type DemoMove = { at: number; to: StageSlug }

export type DemoLead = {
  person: DemoPerson
  broker: DemoBroker
  source: string
  adCampaign: string | null
  development: string | null
  /** True if the lead wrote to the agency's central number and the rotation gave it to the broker. */
  isDistributed: boolean
  notes: string | null
  createdAt: number
  /** In order of time. */
  messages: readonly DemoMessage[]
  /** After the first stage, in which every lead starts. */
  moves: readonly DemoMove[]
  remarketingSentAt: number | null
  optedOutAt: number | null
}

/** The stage of a lead at a time. */
export function stageAt(moves: readonly DemoMove[], at: number): StageSlug {
  return moves.findLast((move) => move.at <= at)?.to ?? 'new'
}

/** Time of the last message or move of a lead. */
export function lastActivity({ createdAt, messages, moves }: DemoLead): number {
  return Math.max(createdAt, messages.at(-1)?.at ?? 0, moves.at(-1)?.at ?? 0)
}
