// A lead as the demo tells of one: the people in it, what was said when, and how the card moved.
import type { Speaker } from './beats.ts'
import type { StageSlug } from './arcs.ts'
import type { DemoBroker } from '../agency/brokers.ts'
import type { DemoPerson } from './people.ts'

/** `at` in epoch seconds, in every type of the demo. */
export type DemoMessage = { at: number; by: Speaker | 'campaign'; body: string }

export type DemoMove = { at: number; to: StageSlug }

export type DemoLead = {
  person: DemoPerson
  broker: DemoBroker
  source: string
  adCampaign: string | null
  development: string | null
  /** Whether the development's central WhatsApp handed the lead to the broker. */
  isDistributed: boolean
  notes: string | null
  createdAt: number
  /** In the order of their times. */
  messages: readonly DemoMessage[]
  /** After the first stage, which every lead starts in. */
  moves: readonly DemoMove[]
  remarketingSentAt: number | null
  optedOutAt: number | null
}

/** The stage a lead stands in at `at`. */
export function stageAt(moves: readonly DemoMove[], at: number): StageSlug {
  return moves.findLast((move) => move.at <= at)?.to ?? 'new'
}

/** When anything last happened to a lead. */
export function lastActivity({ createdAt, messages, moves }: DemoLead): number {
  return Math.max(createdAt, messages.at(-1)?.at ?? 0, moves.at(-1)?.at ?? 0)
}
