// Answers leads of central instances: claims a turn whose lead has finished writing, asks the model, and lets
// the database decide.
import { randomUUID } from 'node:crypto'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { tryAgain } from '#server/db/try-again.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createWorker } from '#server/worker.ts'
import type { Engine } from '#server/agents/engine/engine.ts'
import { createHearing, type Voices } from './hearing.ts'
import { think } from './think.ts'
import type { TurnMaterial } from './turn.ts'
import { createTurnStore } from './turn-store.ts'

const POLL_EVERY_MS = 1_000
/** Without a model there are only turns that another portal left, and they are settled slowly. */
const POLL_WITHOUT_MODEL_MS = 60_000
/** Concurrent calls of the model. */
const MAX_AT_ONCE = 4

type Parts = {
  db: Database
  clock: Clock
  log: Log
  /** Null: the worker ends waiting turns and calls a broker. */
  engine: Engine | null
  /** Undefined: the portal transcribes no voice messages. */
  voices?: Voices
  /** Called when a message was queued for the instance. */
  onQueued: (instanceName: string) => void
}

export function createAnswers({ db, clock, log, engine, voices, onQueued }: Parts) {
  const store = createTurnStore(db, randomUUID())
  const heard = createHearing({ db, clock, voices })

  async function answer(turn: TurnMaterial) {
    const reply = engine
      ? await think({ engine, store, clock, log }, await heard(turn))
      : { outcome: 'failed' as const, reason: 'unreachable' as const, body: null, sources: [] }
    const end = await tryAgain(() => store.settleAnswer(turn.turnId, clock.now(), reply))
    if (end === null) return
    log.info('turn.ended', { turnId: turn.turnId, state: end.state, reason: end.reason })
    if (end.instanceName !== null) onQueued(end.instanceName)
  }

  /** Processes a few due turns; returns whether there may be more. */
  async function poll(stopping: AbortSignal): Promise<boolean> {
    const claimed: TurnMaterial[] = []
    let isMore = false
    while (claimed.length < MAX_AT_ONCE && !stopping.aborted) {
      const next = await tryAgain(() => store.claim(clock.now()))
      if (next === null) break
      isMore = true
      if (next !== 'ended') claimed.push(next)
    }
    await Promise.all(
      claimed.map((turn) =>
        // If this fails, the lease of the turn expires and a worker claims it again.
        answer(turn).catch((error: unknown) =>
          log.error('turn.not-settled', { turnId: turn.turnId, ...errorFields(error) }),
        ),
      ),
    )
    return isMore
  }

  return createWorker({
    name: 'agents',
    clock,
    everyMs: engine ? POLL_EVERY_MS : POLL_WITHOUT_MODEL_MS,
    poll: poll,
    onFailed: (error) => log.warn('turn.look-failed', errorFields(error)),
  })
}
