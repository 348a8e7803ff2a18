// Reads the largest tables a stretch at a time, so that a damaged page is found before a person needs it.
import type { Database } from '#server/db/database.ts'
import { isDamage } from './faults.ts'

/** 2 MB, some milliseconds of the embedded engine. A large table is read through within a day. */
const STRETCH_PAGES = 256
const TABLES = 8
/** Listing the tables takes longer than reading a stretch. */
const LIST_AGAIN_AFTER = 480
const ALL_TABLES = 10_000

/** Reads every table of the portal to its end. Returns the names of damaged ones. */
export async function findDamage(db: Database): Promise<readonly string[]> {
  const { rows } = await db.query<{ name: string; pages: number }>(LARGEST, [ALL_TABLES])
  const found = rows.map(async ({ name }) => {
    try {
      await db.query(`select count(*) from ${name} where ctid >= '(0,0)'::tid`)
      return []
    } catch (error) {
      if (isDamage(error)) return [name]
      throw error
    }
  })
  return (await Promise.all(found)).flat()
}

const LARGEST = `select c.oid::regclass::text as name,
    (pg_relation_size(c.oid) / current_setting('block_size')::integer)::integer as pages
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname in ('public', 'portal')
  order by pages desc, c.oid limit $1`

export function createTableReader(db: Database, onDamage: (table: string, error: unknown) => void) {
  /** The next page of each table. A damaged stretch is read again until it is well. */
  const nextOf = new Map<string, number>()
  const damaged = new Set<string>()
  let listed: { name: string; pages: number }[] = []
  let turn = 0

  async function readStretch(name: string, pages: number) {
    const from = (nextOf.get(name) ?? 0) % Math.max(1, pages)
    try {
      await db.query(
        `select count(*) from ${name} where ctid >= '(${from},0)'::tid and ctid < '(${from + STRETCH_PAGES},0)'::tid`,
      )
      damaged.delete(name)
      nextOf.set(name, from + STRETCH_PAGES)
    } catch (error) {
      if (!isDamage(error)) throw error
      damaged.add(name)
      onDamage(name, error)
    }
  }

  return {
    /** Names of tables. */
    damaged: (): readonly string[] => [...damaged],
    /** Reads one stretch of the next table. */
    readOn: async (): Promise<void> => {
      if (turn % LIST_AGAIN_AFTER === 0 || listed.length === 0)
        listed = (await db.query<{ name: string; pages: number }>(LARGEST, [TABLES])).rows
      const next = listed[turn++ % Math.max(1, listed.length)]
      if (!next) return
      try {
        await readStretch(next.name, next.pages)
      } catch (error) {
        // The table may have been dropped, so the list is read again.
        listed = []
        throw error
      }
    },
  }
}
