// Stored knowledge about a model at its endpoint, shared by all portals over the database.
import { createHash } from 'node:crypto'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { instant } from '#server/db/instant.ts'
import type { EngineFault } from './endpoint.ts'
import type { ModelMemory } from './engine.ts'
import type { Learnt } from './learnt.ts'
import { createMasking } from './masking.ts'

/** Result of a test. `tools` is null if the model failed even without tools. */
export type Found = {
  at: string
  answers: boolean
  tools: 'used' | 'ignored' | 'refused' | null
  inputTokens: number
  outputTokens: number
  isEstimated: boolean
  seconds: number
  fault: EngineFault | null
  /** The message that the endpoint sent. */
  said: string | null
}

export type Failure = { at: string; fault: EngineFault; said: string | null }

/** The state of the model for health. `found` is null while the first test runs. */
export type ModelState = { model: string; found: Found | null; failure: Failure | null }

/** A failed test is repeated after this time. */
const TRY_AGAIN_AFTER = "interval '55 minutes'"

export type ModelStore = ReturnType<typeof createModelStore>

/** `mark`: a hash of address, model and key. */
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
        // An endpoint may repeat the request in its message.
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
     * Whether this portal runs a test now: if the endpoint was never tested, if an administrator asks
     * (`isAsked`), or if the last test failed long ago. Learnt parameters are discarded.
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
