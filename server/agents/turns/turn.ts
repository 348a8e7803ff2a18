// A turn as the database tells it, and as it comes out of the model.
import type { TurnReason } from '#domain/agent/turn.ts'

/** What the model is told, as portal.turn_material gives it. */
export type TurnMaterial = {
  turnId: number
  kind: 'answer' | 'suggestion'
  agent: { name: string; development: string | null; texts: readonly string[] }
  facts: readonly Fact[]
  lead: { name: string | null; stage: string; development: string | null; notes: string | null }
  /** The oldest first. */
  lines: readonly { by: 'lead' | 'human' | 'agent' | 'campaign'; kind: string; text: string }[]
  /** A voice message that it answers could not be heard, though there is a model that hears. */
  isUnheard?: boolean
  /** When the lead's next visit is booked, as `now`; null without one. */
  visit: string | null
  /** Wall clock of the portal's zone, '2026-11-23 09:41'. */
  now: string
}
/** `at`: the day it was written. */
export type Fact = { label: string; value: string; isPrice: boolean; at: string }

/** How a turn came out of the model; the database has the last word. */
export type TurnReply = {
  /** `silent`: nothing has to be said. `machine`: nor does the agent speak there again. `refused`: by our own rules. `failed`: the model or the portal had a fault. */
  outcome: 'fit' | 'silent' | 'machine' | 'refused' | 'failed'
  /** Of a silent turn the words of the model. */
  reason: TurnReason | (string & {}) | null
  body: string | null
  /** Of one that our own rules hold back, what in it has nothing behind it. */
  missing?: string | null
  sources: readonly { label: string; value: string; at: string }[]
}
