// A turn as input from the database, and as the model's outcome.
import type { TurnReason } from '#domain/agent/turn.ts'

/** The model's input, as returned by portal.turn_material. */
export type TurnMaterial = {
  turnId: number
  kind: 'answer' | 'suggestion'
  agent: { name: string; development: string | null; texts: readonly string[] }
  facts: readonly Fact[]
  lead: { name: string | null; stage: string; development: string | null; notes: string | null }
  /** Oldest first. */
  lines: readonly { by: 'lead' | 'human' | 'agent' | 'campaign'; kind: string; text: string }[]
  /** True: a voice message that the turn answers could not be transcribed, although a voice model is configured. */
  isUnheard?: boolean
  /** When the lead's next visit is, in the form of `now`. Null: no visit is booked. */
  visit: string | null
  /** The time in the portal's time zone, such as '2026-11-23 09:41'. */
  now: string
}
/** `at`: the day when the fact was written. */
export type Fact = { label: string; value: string; isPrice: boolean; at: string }

/** The outcome of the model; the database decides what is sent. */
export type TurnReply = {
  /**
   * `silent`: no answer is needed. `machine`: silent, and the agent pauses there. `refused`: by the portal's
   * rules. `failed`: a fault of the model or the portal.
   */
  outcome: 'fit' | 'silent' | 'machine' | 'refused' | 'failed'
  /** Why the turn ended so. For a silent turn the words of the model. */
  reason: TurnReason | (string & {}) | null
  body: string | null
  /** The statement without a source, in a refused text. */
  missing?: string | null
  sources: readonly { label: string; value: string; at: string }[]
}
