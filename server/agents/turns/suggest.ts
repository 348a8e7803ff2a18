// A draft for the broker who reads a conversation: one call to the model, judged by our own rules before anybody sees it.
import { randomUUID } from 'node:crypto'
import { factsSaid, replyFault } from '#domain/agent-reply.ts'
import type { Claims } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import type { Clock } from '#server/clock.ts'
import { errorFields, type Log } from '#server/log.ts'
import { EngineError, type Engine } from '#server/agents/engine/engine.ts'
import { createMasking } from '#server/agents/engine/masking.ts'
import { promptOf } from './prompt.ts'
import {
  createTurnStore,
  type Suggestion,
  type TurnMaterial,
  type TurnStore,
  type Verdict,
} from './turn-store.ts'

type Parts = { db: Database; clock: Clock; log: Log; engine: Engine | null }

export type Assist = ReturnType<typeof createAssist>

/** Both reject with a PortalError that can be shown. */
export function createAssist({ db, clock, log, engine }: Parts) {
  const store = createTurnStore(db, randomUUID())
  return {
    /** Null: nothing to suggest, or nothing that may be. */
    suggest: async (claims: Claims, contactId: number): Promise<Suggestion | null> => {
      if (!engine) {
        await store.checkLead(claims, contactId)
        return null
      }
      const { turn, suggestion } = await store.beginSuggestion(claims, contactId, clock.now())
      if (!turn) return suggestion
      const verdict = await think({ engine, store, log }, turn)
      return store.settleSuggestion(turn.turnId, clock.now(), verdict)
    },
    dismiss: async (claims: Claims, turnId: number): Promise<void> => {
      await store.dismiss(claims, turnId)
    },
  }
}

const NOTHING = { body: null, sources: [] }

/** Never rejects: what goes wrong is how the turn ends. */
async function think(
  { engine, store, log }: { engine: Engine; store: TurnStore; log: Log },
  turn: TurnMaterial,
): Promise<Verdict> {
  const { mask, unmask } = createMasking()
  try {
    const { text, usage } = await engine.complete({ messages: promptOf(turn, mask), tools: [] })
    await store.noteUsage(turn.turnId, engine.model, usage)
    return judge(unmask(text).trim(), turn)
  } catch (error) {
    if (error instanceof EngineError) return { state: 'failed', reason: error.fault, ...NOTHING }
    log.error('turn.failed', { turnId: turn.turnId, ...errorFields(error) })
    return { state: 'failed', reason: 'fault', ...NOTHING }
  }
}

function judge(body: string, { facts }: TurnMaterial): Verdict {
  const fault = replyFault(body, { facts, done: new Set() })
  if (fault) return { state: 'refused', reason: fault, body, sources: [] }
  const sources = factsSaid(body, facts).map(({ label, at }) => ({ label, at }))
  return { state: 'proposed', reason: null, body, sources }
}
