// The database's side of what agents say: each call as the person who asks, or as the portal.
import * as v from 'valibot'
import { createAsking } from '#server/db/asking.ts'
import type { Claims } from '#server/db/as-user.ts'
import type { Database, Query } from '#server/db/database.ts'
import { decide, type Moment, type SeatState } from '#domain/rotation/rotation.ts'
import { tryAgain } from '#server/db/try-again.ts'
import { readVisit } from './visit-asked.ts'
import type { TurnMaterial, Verdict } from './turn.ts'

export type Source = { label: string; at: string }

/** `at` is a time. */
export type Handover = {
  at: string
  wants: string
  said: string
  missing: string
  /** How many agent and lead wrote until then, and between which they stand. */
  lines: number
  firstId: number | null
  lastId: number | null
}

/** `baton`: who holds the conversation; null where no agent answers in it. `handover`: null once a person has written. */
export type Passing = { handover: Handover | null; baton: 'assistant' | 'broker' | 'stopped' | null }

/** As the broker sees it. */
export type Suggestion = { id: number; text: string; sources: Source[]; model: string | null }

/** What became of an answer; `instanceName` where a line waits to be sent. */
export type AnswerEnd = { state: string; reason: string | null; instanceName: string | null }

/** Each of a person's rejects with a PortalError that can be shown. */
export function createTurnStore(db: Database, claimer: string) {
  const ask = createAsking(db)
  return {
    /** Raises what a text to the lead would. */
    checkLead: (claims: Claims, contactId: number) =>
      ask.one<number>(claims, 'select portal.lead_to_write(null, $1, null) as answer', [contactId]),

    /** `turn` for whoever asked first: the model is to be asked, and `settleSuggestion` told. */
    beginSuggestion: (claims: Claims, contactId: number, nowMs: number) =>
      ask.one<{ turn: TurnMaterial | null; suggestion: Suggestion | null }>(
        claims,
        'select portal.begin_suggestion($1, $2, $3) as answer',
        [contactId, claimer, instant(nowMs)],
      ),

    settleSuggestion: async (turnId: number, nowMs: number, verdict: Verdict): Promise<Suggestion | null> => {
      const { rows } = await db.query<{ suggestion: Suggestion | null }>(
        'select portal.settle_suggestion($1, $2, $3, $4, $5, $6, $7::jsonb) as suggestion',
        [
          turnId,
          claimer,
          instant(nowMs),
          verdict.isFit ? 'proposed' : stateOf(verdict),
          verdict.reason,
          verdict.body,
          JSON.stringify(verdict.sources),
        ],
      )
      return rows[0]?.suggestion ?? null
    },

    /** The next answer that is due; `ended` where one ended without being thought of. */
    claim: async (nowMs: number): Promise<TurnMaterial | 'ended' | null> => {
      const { rows } = await db.query<{ turn: TurnMaterial | Record<string, never> | null }>(
        'select portal.claim_turn($1, $2) as turn',
        [claimer, instant(nowMs)],
      )
      const turn = rows[0]?.turn ?? null
      return turn && ('turnId' in turn ? (turn as TurnMaterial) : 'ended')
    },

    /** Null: another portal has the turn by now. */
    settleAnswer: async (turnId: number, nowMs: number, verdict: Verdict): Promise<AnswerEnd | null> => {
      const { rows } = await db.query<{ end: AnswerEnd | null }>(
        'select portal.settle_answer($1, $2, $3, $4, $5, $6, $7::jsonb) as "end"',
        [
          turnId,
          claimer,
          instant(nowMs),
          verdict.isFit ? 'sent' : stateOf(verdict),
          verdict.reason,
          verdict.body,
          JSON.stringify(verdict.sources),
        ],
      )
      return rows[0]?.end ?? null
    },

    /** What the model is told of it. */
    runTool: (turnId: number, { name, args }: Asked, nowMs: number): Promise<string> => {
      const tool = { turnId, claimer, name, nowMs }
      if (name !== 'agendar_visita') return askTool(db.query, tool, args)
      // Chosen and booked in the rotation's one turn.
      return tryAgain(() =>
        db.transaction(async (query) =>
          askTool(query, tool, { ...readVisit(args), choice: await choose(query, turnId, nowMs) }),
        ),
      )
    },

    /** What the broker is to know who takes the conversation over. */
    passing: (claims: Claims, contactId: number, nowMs: number) =>
      ask.one<Passing>(claims, 'select portal.passing_of($1, $2) as answer', [contactId, instant(nowMs)]),

    /** Raises `assistant.elsewhere` and `assistant.stopped`. */
    giveBack: (claims: Claims, contactId: number, nowMs: number) =>
      ask.one<{ isAnsweredNow: boolean }>(claims, 'select portal.return_to_agent($1, $2) as answer', [
        contactId,
        instant(nowMs),
      ]),

    /** Raises `suggestion.unknown`. */
    dismiss: (claims: Claims, turnId: number) =>
      ask.one<unknown>(claims, 'select portal.dismiss_suggestion($1) as answer', [turnId]),

    noteUsage: async (
      turnId: number,
      model: string,
      { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
    ): Promise<void> =>
      void (await db.query('select portal.note_turn_usage($1, $2, $3, $4)', [
        turnId,
        model,
        inputTokens,
        outputTokens,
      ])),
  }
}

type Asked = { name: string; args: Record<string, unknown> }
type ToolRun = { turnId: number; claimer: string; name: string; nowMs: number }

async function askTool(
  query: Query,
  { turnId, claimer, name, nowMs }: ToolRun,
  args: Record<string, unknown>,
): Promise<string> {
  const { rows } = await query<{ answer: string | null }>(
    'select portal.turn_tool($1, $2, $3, $4::jsonb, $5) as answer',
    [turnId, claimer, name, JSON.stringify(args), instant(nowMs)],
  )
  return rows[0]?.answer ?? ''
}

type VisitChoice = { keeper: string | null; roletaId: number | null; moment: Moment; seats: SeatState[] }

/** In whose hours a visit is booked: the broker who has the person, else whose turn it is. */
async function choose(query: Query, turnId: number, nowMs: number) {
  const { rows } = await query<{ choice: VisitChoice }>('select portal.visit_choice($1, $2) as choice', [
    turnId,
    instant(nowMs),
  ])
  const choice = rows[0]?.choice
  if (!choice) return {}
  if (choice.keeper !== null) return { broker: choice.keeper }
  const { picked, credits } = decide(choice.seats, choice.moment)
  return picked === null ? {} : { broker: picked, roletaId: choice.roletaId, credits }
}

const stateOf = ({ isFailed }: Verdict) => (isFailed ? 'failed' : 'refused')

export type TurnStore = ReturnType<typeof createTurnStore>

const instant = (ms: number) => new Date(ms).toISOString()

/** What an administrator sets; answers and refusals are those of portal.agent_setup and its neighbours. */
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
const line = (most: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(most))

export const SetupChange = v.partial(
  v.object({
    mode: v.picklist(['off', 'suggest', 'after_hours', 'answer']),
    isAskedTwice: v.boolean(),
    monthLimitMicros: v.nullable(micros),
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

/** Millionths of a real for a million tokens, and for a minute heard. */
export const ModelPrice = v.object({
  model: line(200),
  inputMicros: micros,
  outputMicros: micros,
  /** An app of before knows none. */
  minuteMicros: v.optional(micros, 0),
})
export type ModelPrice = v.InferOutput<typeof ModelPrice>

/** Times are ISO texts. */
export type TurnView = {
  id: number
  kind: 'answer' | 'suggestion'
  state: 'waiting' | 'thinking' | 'proposed' | 'sent' | 'stale' | 'refused' | 'failed'
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
  inputTokens: number
  outputTokens: number
  promptVersion: number | null
  messageId: number | null
  number: number
}

export type AgentSetup = {
  mode: 'off' | 'suggest' | 'after_hours' | 'answer'
  monthLimitMicros: number | null
  spentMicros: number
  conversations: number
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

/** What SQL goes by: whether this portal has a model that writes. */
export async function noteModel(db: Database, engine: { model: string } | null): Promise<void> {
  await db.query(
    `insert into portal.settings (key, value) values ('agent_model', $1::jsonb)
    on conflict (key) do update set value = excluded.value where portal.settings.value <> excluded.value`,
    [JSON.stringify(engine?.model ?? null)],
  )
}
