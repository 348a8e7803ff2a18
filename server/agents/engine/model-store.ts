// What the portal knows of its model at its endpoint, kept with the model for every portal over the database.
import { createHash } from 'node:crypto'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { instant } from '#server/db/instant.ts'
import type { EngineFault } from './endpoint.ts'
import type { ModelMemory } from './engine.ts'
import type { Learnt } from './learnt.ts'
import { createMasking } from './masking.ts'

/** What a trial found. `tools`: null where the model did not even answer without one. */
export type Found = {
  at: string
  answers: boolean
  tools: 'used' | 'ignored' | 'refused' | null
  inputTokens: number
  outputTokens: number
  isEstimated: boolean
  seconds: number
  fault: EngineFault | null
  /** The endpoint's own message. */
  said: string | null
}

export type Failure = { at: string; fault: EngineFault; said: string | null }

/** For health. `found` null: its trial has not ended yet. */
export type ModelState = { model: string; found: Found | null; failure: Failure | null }

/** A trial that found the model wanting is made again after so long. */
const TRY_AGAIN_AFTER = "interval '55 minutes'"

export type ModelStore = ReturnType<typeof createModelStore>

/** `mark`: a hash of where and as whom the model is asked. */
export function createModelStore(
  { db, clock }: { db: Database; clock: Clock },
  { model, url, key }: { model: string; url: string; key: string | undefined },
) {
  const mark = createHash('sha256')
    .update(JSON.stringify([model, url, key]))
    .digest('hex')
  const memory: ModelMemory = {
    learnt: async () => {
      const { rows } = await db.query<{ learnt: Learnt }>(
        'select learnt from portal.model_endpoints where model = $1 and mark = $2',
        [model, mark],
      )
      return rows[0]?.learnt ?? {}
    },
    learn: async (lesson) => {
      await db.query(
        `insert into portal.model_endpoints as e (model, mark, learnt, tried_at) values ($1, $2, $3::jsonb, $4)
         on conflict (model) do update
         set learnt = case when e.mark = excluded.mark then e.learnt else '{}' end || excluded.learnt, mark = excluded.mark`,
        [model, mark, JSON.stringify(lesson), instant(clock.now())],
      )
    },
    noteEnd: async (error) => {
      const failure: Failure | null = error && {
        at: instant(clock.now()),
        fault: error.fault,
        // An endpoint may repeat what it was asked.
        said: error.said === null ? null : createMasking().mask(error.said),
      }
      await db.query(
        `update portal.model_endpoints set failure = $2::jsonb
         where model = $1 and (failure is not null or $2::jsonb is not null)`,
        [model, failure && JSON.stringify(failure)],
      )
    },
  }
  return {
    memory,

    /**
     * Whether a trial is this portal's to make now: of an endpoint that was never tried, or, `isAsked` by nobody, of one whose last
     * trial was long ago and found it wanting. What was learnt before is forgotten with it.
     */
    beginTrial: async (isAsked: boolean): Promise<boolean> => {
      const { rowCount } = await db.query(
        `insert into portal.model_endpoints as e (model, mark, tried_at) values ($1, $2, $3)
         on conflict (model) do update
         set mark = excluded.mark, learnt = '{}', tried_at = excluded.tried_at,
           found = case when e.mark = excluded.mark then e.found end, failure = case when e.mark = excluded.mark then e.failure end
         where e.mark <> excluded.mark or $4
           or e.tried_at < excluded.tried_at - ${TRY_AGAIN_AFTER} and e.found ->> 'tools' is distinct from 'used'`,
        [model, mark, instant(clock.now()), isAsked],
      )
      return rowCount > 0
    },

    endTrial: async (found: Found): Promise<void> => {
      await db.query('update portal.model_endpoints set found = $3::jsonb where model = $1 and mark = $2', [
        model,
        mark,
        JSON.stringify(found),
      ])
    },

    state: async (): Promise<ModelState> => {
      const { rows } = await db.query<ModelState & { model: string }>(
        'select model, found, failure from portal.model_endpoints where model = $1 and mark = $2',
        [model, mark],
      )
      return rows[0] ?? { model, found: null, failure: null }
    },
  }
}
