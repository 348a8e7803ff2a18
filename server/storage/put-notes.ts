// Records which media were put a moment ago, so that no removal takes bytes that a message is about to refer to. S3 has
// no conditional delete for that.
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { RESTING_MS } from './media-store.ts'

export type PutNotes = {
  /** Records a put; waits while the same id is being removed. False if the id had no record yet. */
  note(id: string): Promise<boolean>
  /** Runs `remove` unless the id was put within RESTING_MS; later puts wait meanwhile. False if it did not run. */
  whileRested(id: string, remove: () => Promise<boolean>): Promise<boolean>
}

/** A record is needed for a minute only. It is kept longer, so that a slow put still finds its own. */
const KEPT_MS = 24 * 3_600_000

/** Keeps the notes of one process, because the embedded engine's only connection may not wait for a network. */
export function createMemoryNotes(clock: Clock): PutNotes {
  const putAtMs = new Map<string, number>()
  const removing = new Map<string, Promise<boolean>>()

  function forgetOld() {
    // The map is in the order of putting, so the first are the oldest.
    for (const [id, atMs] of putAtMs) {
      if (atMs > clock.now() - KEPT_MS) break
      putAtMs.delete(id)
    }
  }

  return {
    note: async (id) => {
      while (removing.has(id)) await removing.get(id)?.catch(() => undefined)
      forgetOld()
      const wasThere = putAtMs.delete(id)
      putAtMs.set(id, clock.now())
      return wasThere
    },
    whileRested: async (id, remove) => {
      if ((putAtMs.get(id) ?? -Infinity) > clock.now() - RESTING_MS) return false
      const known = removing.get(id)
      if (known) return known
      putAtMs.delete(id)
      const removal = remove().finally(() => removing.delete(id))
      removing.set(id, removal)
      return removal
    },
  }
}

/**
 * For all portals of one Postgres: a removal holds the row of its id, and a put waits for it. `place` is recorded as
 * the bucket that holds media of this database.
 */
export function createSharedNotes(db: Pick<Database, 'query' | 'transaction'>, place: string): PutNotes {
  return {
    note: async (id) => {
      const { rows } = await db.query<{ was_there: boolean }>(
        `with old as (
          delete from portal.media_puts where id in (
            select id from portal.media_puts where put_at < now() - make_interval(secs => $2)
            order by put_at limit 20 for update skip locked)
        ), place as (
          insert into portal.settings (key, value) values ('media_bucket', to_jsonb($3::text)) on conflict do nothing
        )
        insert into portal.media_puts (id) values ($1)
        on conflict (id) do update set put_at = now() returning xmax <> 0 as was_there`,
        [id, KEPT_MS / 1000, place],
      )
      return rows[0]?.was_there === true
    },
    whileRested: (id, remove) =>
      db.transaction(async (query) => {
        const { rows } = await query<{ is_fresh: boolean }>(
          `insert into portal.media_puts (id, put_at) values ($1, '-infinity')
          on conflict (id) do update set id = excluded.id
          returning put_at > now() - make_interval(secs => $2) as is_fresh`,
          [id, RESTING_MS / 1000],
        )
        if (rows[0]?.is_fresh === true) return false
        const isGone = await remove()
        await query('delete from portal.media_puts where id = $1', [id])
        return isGone
      }),
  }
}
