// Whether a link that is reported open works: portal.instance_states.dead_at.
import type { Database } from '#server/db/database.ts'

export function createLinkLife(db: Database) {
  return {
    /** A send found no link. True if that is new: the state is still 'open'. */
    noteDead: async (instanceName: string): Promise<boolean> => {
      const { rowCount } = await db.query(
        `update portal.instance_states set dead_at = now()
         where "instanceName" = $1 and state = 'open' and dead_at is null`,
        [instanceName],
      )
      return rowCount > 0
    },

    /** A send was accepted, which proves that a link reported open works. */
    noteAlive: async (instanceName: string): Promise<void> => {
      await db.query(
        `update portal.instance_states set dead_at = null
         where "instanceName" = $1 and dead_at is not null and opening_since is null`,
        [instanceName],
      )
      await db.query(
        `update portal.instance_states set state = 'open', reason = null, changed_at = now(), dead_at = null, flips = 0
         where "instanceName" = $1 and opening_since is not null`,
        [instanceName],
      )
    },

    /** How many links that are reported open work, and how many are dead; for health. */
    count: async (): Promise<{ open: number; dead: number }> => {
      const { rows } = await db.query<{ open: number; dead: number }>(
        `select count(*) filter (where dead_at is null) as open, count(dead_at) as dead
         from portal.instance_states where state = 'open'`,
      )
      return rows[0] ?? { open: 0, dead: 0 }
    },
  }
}
