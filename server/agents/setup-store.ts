// Settings of an agent: mode, facts, limit, model prices; and its turns for the screen.
import * as v from 'valibot'
import { AGENT_MODES, type AgentMode } from '#domain/agent/agent.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Claims } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import { instant } from '#server/db/instant.ts'
import type { Source } from './turns/turn-store.ts'

/** Answers and errors are those of portal.agent_setup and its neighbours. */
export function createSetupStore(db: Database) {
  const ask = createAsking(db)
  return {
    setup: (claims: Claims, id: number, nowMs: number) =>
      ask.one<AgentSetup>(claims, 'select portal.agent_setup($1, $2) as answer', [id, instant(nowMs)]),
    save: (claims: Claims, id: number, wanted: SetupChange) =>
      ask.one<unknown>(claims, 'select portal.save_agent_setup($1, $2::jsonb) as answer', [
        id,
        JSON.stringify(wanted),
      ]),
    saveFact: (claims: Claims, id: number, fact: FactChange) =>
      ask.one<{ id: number }>(claims, 'select portal.save_agent_fact($1, $2::jsonb) as answer', [
        id,
        JSON.stringify(fact),
      ]),
    turns: (claims: Claims, id: number, contactId: number) =>
      ask.one<TurnView[]>(claims, 'select portal.agent_turns_of($1, $2) as answer', [id, contactId]),
    removeFact: (claims: Claims, id: number, factId: number) =>
      ask.one<unknown>(claims, 'select portal.remove_agent_fact($1, $2) as answer', [id, factId]),
    savePrice: (claims: Claims, { model, inputMicros, outputMicros, minuteMicros }: ModelPrice) =>
      ask.one<unknown>(claims, 'select portal.save_model_price($1, $2, $3, $4) as answer', [
        model,
        inputMicros,
        outputMicros,
        minuteMicros,
      ]),
  }
}

const micros = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(1_000_000_000_000))
const day = v.pipe(v.string(), v.isoDate())
const times = (most: number) => v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most))
const line = (most: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(most))

export const SetupChange = v.partial(
  v.object({
    mode: v.picklist(AGENT_MODES),
    isAskedTwice: v.boolean(),
    monthLimitMicros: v.nullable(micros),
    mostInTenMinutes: times(60),
    mostADay: times(500),
    followsUp: v.boolean(),
  }),
)
export type SetupChange = v.InferOutput<typeof SetupChange>

export const FactChange = v.object({
  id: v.nullable(v.pipe(v.number(), v.safeInteger())),
  label: line(120),
  value: line(2_000),
  isPrice: v.boolean(),
  validUntil: v.nullable(day),
})
export type FactChange = v.InferOutput<typeof FactChange>

/** Millionths of a real for a million tokens, and for a transcribed minute. */
export const ModelPrice = v.object({
  model: line(200),
  inputMicros: micros,
  outputMicros: micros,
  /** Older apps do not send it. */
  minuteMicros: v.optional(micros, 0),
})
export type ModelPrice = v.InferOutput<typeof ModelPrice>

/** Times are ISO texts. */
export type TurnView = {
  id: number
  kind: 'answer' | 'suggestion'
  state: 'waiting' | 'thinking' | 'proposed' | 'sent' | 'silent' | 'stale' | 'refused' | 'failed'
  reason: string | null
  beganAt: string
  dueAt: string
  endedAt: string | null
  bubbles: number
  body: string | null
  sources: Source[]
  steps: { name: string; args: object; result: string }[]
  model: string | null
  costMicros: number
  /** Some tokens were used while the model had no price. */
  isUnpriced: boolean
  /** The endpoint did not count some tokens. */
  isEstimated: boolean
  /** Why a text was refused: a statement without a source. */
  missing: string | null
  inputTokens: number
  outputTokens: number
  version: number
  messageId: number | null
  number: number
}

export type AgentSetup = {
  mode: AgentMode
  monthLimitMicros: number | null
  mostInTenMinutes: number
  mostADay: number
  followsUp: boolean
  spentMicros: number
  conversations: number
  /** Part of this month was used while the model had no price. */
  isUnpriced: boolean
  prices: ModelPrice[]
  facts: {
    id: number
    label: string
    value: string
    isPrice: boolean
    validUntil: string | null
    isExpired: boolean
  }[]
}

/** Records for SQL whether this portal has a text model. */
export async function noteModel(
  db: Database,
  engine: { model: string; isDemo?: boolean } | null,
): Promise<void> {
  await db.query(
    `insert into portal.settings (key, value) values ('agent_model', $1::jsonb)
    on conflict (key) do update set value = excluded.value where portal.settings.value <> excluded.value`,
    [JSON.stringify(engine?.model ?? null)],
  )
  // The demonstration's rules cost nothing.
  if (engine?.isDemo)
    await db.query(
      `insert into portal.model_prices (model, input_micros, output_micros) values ($1, 0, 0) on conflict do nothing`,
      [engine.model],
    )
}
