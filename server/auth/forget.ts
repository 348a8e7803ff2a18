// Deletes expired rows in batches, so that no statement makes people wait for long.
import type { Database } from '#server/db/database.ts'

const BATCH = 1_000

/** `isOver` is SQL about the row `t`; $1 is the instant. */
type Over = { table: string; isOver: string; instant: string }

export async function inBatches(
  db: Pick<Database, 'query'>,
  { table, isOver, instant }: Over,
): Promise<void> {
  for (let count = BATCH; count === BATCH;) {
    const { rowCount } = await db.query(
      `delete from ${table} where ctid = any (array(select t.ctid from ${table} t where ${isOver} limit ${BATCH}))`,
      [instant],
    )
    count = rowCount
  }
}
