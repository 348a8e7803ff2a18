// Requests made after a backup that restoring it must not undo: opt-outs and erasures (LGPD art. 18).
import { existsSync } from 'node:fs'
import { requireWhole } from '#server/db/pglite/damage.ts'
import type { Database, Row } from '#server/db/database.ts'
import { openPglite } from '#server/db/pglite/pglite.ts'

/** `endings`: last digits of people who were erased since and are in the backup. */
export type LaterRequests = { optedOut: number; endings: string[] }

/**
 * Copies both from the replaced database, where they are hashes under a key that both databases share; null if it does
 * not open.
 */
export async function copyRequests(
  replaced: string,
  into: Database,
  madeAtMs: number,
): Promise<LaterRequests | null> {
  if (!existsSync(replaced)) return { optedOut: 0, endings: [] }
  const laterRequests = await readLaterRequests(replaced, madeAtMs).catch(() => null)
  if (laterRequests === null) return null
  const { rowCount } = await into.query(
    `with later as (select decode(t.hash, 'hex') as hash, t.at from jsonb_to_recordset($1::jsonb) as t (hash text, at timestamptz)),
    kept as (insert into portal.opt_outs (number_hash, opted_out_at) select hash, at from later on conflict do nothing)
    update portal.people p set opted_out_at = later.at from later
    where p.opted_out_at is null and portal.opt_out_hash(p.number_key) = later.hash`,
    [JSON.stringify(laterRequests.optOuts)],
  )
  const { rows } = await into.query<{ ending: string }>(
    `with later as (select decode(t.hash, 'hex') as hash, t.at from jsonb_to_recordset($1::jsonb) as t (hash text, at timestamptz)),
    kept as (insert into portal.erasures (hash, erased_at) select hash, at from later on conflict do nothing)
    select right(p.number_key, 4) as ending from portal.people p
    where portal.opt_out_hash(p.number_key) in (select hash from later) order by 1`,
    [JSON.stringify(laterRequests.erasures)],
  )
  return { optedOut: rowCount, endings: rows.map(({ ending }) => ending) }
}

type Hashed = Row & { hash: string; at: string }

async function readLaterRequests(folder: string, madeAtMs: number) {
  requireWhole(folder)
  const db = await openPglite({ dataDir: folder })
  try {
    const { rows: optOuts } = await db.query<Hashed>(
      `select encode(number_hash, 'hex') as hash, opted_out_at as at from portal.opt_outs`,
    )
    const { rows: erasures } = await db.query<Hashed>(
      `select encode(hash, 'hex') as hash, erased_at as at from portal.erasures
      where erased_at >= to_timestamp($1::numeric / 1000)`,
      [madeAtMs],
    )
    return { optOuts, erasures }
  } finally {
    await db.close()
  }
}
