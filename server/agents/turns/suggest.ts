// A draft for the broker who reads a conversation: one call to the model, checked by the portal's rules
// before anybody sees it.
import { randomUUID } from 'node:crypto'
import type { Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database } from '#server/db/database.ts'
import type { Clock } from '#server/clock.ts'
import type { Log } from '#server/log.ts'
import type { Engine } from '#server/agents/engine/engine.ts'
import { think } from './think.ts'
import { createTurnStore, type Suggested } from './turn-store.ts'

type Parts = { db: Database; clock: Clock; log: Log; engine: Engine | null }

/** `isOn`: the broker allows it. `isAvailable`: a text model is configured. */
type OwnAssistant = { isOn: boolean; isAvailable: boolean }

export type Assist = ReturnType<typeof createAssist>

/** Every method rejects with a PortalError whose message a person may read. */
export function createAssist({ db, clock, log, engine }: Parts) {
  const ask = createAsking(db)
  const store = createTurnStore(db, randomUUID())
  return {
    /** Null: there is nothing to suggest, or no text is allowed. */
    suggest: async (claims: Claims, contactId: number): Promise<Suggested> => {
      if (!engine) {
        await store.checkLead(claims, contactId)
        return { suggestion: null, isBeingWritten: false }
      }
      const { turn, ...found } = await store.beginSuggestion(claims, contactId, clock.now())
      if (!turn) return found
      const reply = await think({ engine, store, clock, log }, turn)
      const suggestion = await store.settleSuggestion(turn.turnId, clock.now(), reply)
      return { suggestion, isBeingWritten: false }
    },
    passing: (claims: Claims, contactId: number) => store.passing(claims, contactId, clock.now()),
    /** The agent answers the next message again. `isAnsweredNow`: at this hour, too. */
    giveBack: (claims: Claims, contactId: number) => store.giveBack(claims, contactId, clock.now()),
    /** For the calling broker's own number. Both methods raise `access.denied` for anybody else. */
    own: (claims: Claims) => ask.one<OwnAssistant>(claims, 'select portal.own_assistant() as answer', []),
    setOwn: (claims: Claims, isOn: boolean) =>
      ask.one<unknown>(claims, 'select portal.set_own_assistant($1) as answer', [isOn]),
    dismiss: async (claims: Claims, turnId: number): Promise<void> => {
      await store.dismiss(claims, turnId)
    },
  }
}
