// Database access for agents' turns; each call runs as the calling person, or as the portal.
import { createAsking } from '#server/db/asking.ts'
import type { Claims } from '#server/db/as-user.ts'
import type { Database, Query } from '#server/db/database.ts'
import { decide, type SeatState, type WallClock } from '#domain/rotation/rotation.ts'
import { tryAgain } from '#server/db/try-again.ts'
import { instant } from '#server/db/instant.ts'
import type { Usage } from '#server/agents/engine/endpoint.ts'
import { readVisit } from './visit-asked.ts'
import type { TurnMaterial, TurnReply } from './turn.ts'

export type Source = { label: string; at: string }

/** `at` is an ISO time. */
export type Handover = {
  at: string
  wants: string
  said: string
  missing: string
  /** Number of messages of agent and lead until then, with the first and last id. */
  lines: number
  firstId: number | null
  lastId: number | null
}

/**
 * `baton`: who has the conversation; null if no agent answers in it. `handover`: null once a person has
 * written.
 */
export type Passing = { handover: Handover | null; baton: 'assistant' | 'broker' | 'stopped' | null }

/** A draft as the broker sees it. */
export type Suggestion = { id: number; text: string; sources: Source[]; model: string | null }

/** `isBeingWritten`: another caller was first, ask again. */
export type Suggested = { suggestion: Suggestion | null; isBeingWritten: boolean }

/** What became of an answer. `instanceName`: set if a message was queued. */
export type AnswerEnd = { state: string; reason: string | null; instanceName: string | null }

/** Methods for persons reject with a PortalError whose message a person may read. */
export function createTurnStore(db: Database, claimer: string) {
  const ask = createAsking(db)
  const settle = createSettling(db)
  return {
    /** Raises the same errors as sending a text to the lead. */
    checkLead: (claims: Claims, contactId: number) =>
      ask.one<number>(claims, 'select portal.lead_to_write(null, $1, null) as answer', [contactId]),

    /** `turn` for the first caller, who asks the model and then calls `settleSuggestion`. */
    beginSuggestion: (claims: Claims, contactId: number, nowMs: number) =>
      ask.one<Suggested & { turn: TurnMaterial | null }>(
        claims,
        'select portal.begin_suggestion($1, $2, $3) as answer',
        [contactId, claimer, instant(nowMs)],
      ),

    settleSuggestion: (turnId: number, nowMs: number, reply: TurnReply) =>
      settle<Suggestion>('portal.settle_suggestion', { turnId, claimer, nowMs, reply, fitState: 'proposed' }),

    /** The next due answer; 'ended' if a turn ended without the model. */
    claim: async (nowMs: number): Promise<TurnMaterial | 'ended' | null> => {
      const { rows } = await db.query<{ turn: TurnMaterial | Record<string, never> | null }>(
        'select portal.claim_turn($1, $2) as turn',
        [claimer, instant(nowMs)],
      )
      const turn = rows[0]?.turn ?? null
      return turn && ('turnId' in turn ? (turn as TurnMaterial) : 'ended')
    },

    /** Null: another portal has taken the turn. */
    settleAnswer: (turnId: number, nowMs: number, reply: TurnReply) =>
      settle<AnswerEnd>('portal.settle_answer', { turnId, claimer, nowMs, reply, fitState: 'sent' }),

    /** Returns the text for the model. */
    runTool: (turnId: number, { name, args }: Asked, nowMs: number): Promise<string> => {
      const tool = { turnId, claimer, name, nowMs }
      if (name !== 'agendar_visita') return askTool(db.query, tool, args)
      // The broker is chosen and the visit booked under one lock of the rotations.
      return tryAgain(() =>
        db.transaction(async (query) =>
          askTool(query, tool, { ...readVisit(args), choice: await choose(query, turnId, nowMs) }),
        ),
      )
    },

    /** The card for the broker who takes the conversation over. */
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

    noteUsage: async (turnId: number, model: string, usage: Usage): Promise<void> => {
      const { inputTokens, outputTokens, isEstimated } = usage
      const values = [turnId, model, inputTokens, outputTokens, isEstimated]
      await db.query('select portal.note_model_use($1, $2, $3, $4, $5)', values)
    },
  }
}

type Settling = { turnId: number; claimer: string; nowMs: number; reply: TurnReply; fitState: string }

const createSettling =
  (db: Database) =>
  async <T>(name: string, { turnId, claimer, nowMs, reply, fitState }: Settling): Promise<T | null> => {
    const { missing = null } = reply
    if (missing !== null)
      await db.query('update portal.agent_turns set missing = $2 where id = $1', [turnId, missing])
    const { rows } = await db.query<{ settled: T | null }>(
      `select ${name}($1, $2, $3, $4, $5, $6, $7::jsonb) as settled`,
      [
        turnId,
        claimer,
        instant(nowMs),
        reply.outcome === 'fit' ? fitState : reply.outcome,
        reply.reason,
        reply.body,
        JSON.stringify(reply.sources),
      ],
    )
    return rows[0]?.settled ?? null
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

type VisitChoice = { keeper: string | null; roletaId: number | null; moment: WallClock; seats: SeatState[] }

/** Chooses the broker for a visit: the one who already has a lead of the person, else the rotation's choice. */
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

export type TurnStore = ReturnType<typeof createTurnStore>
