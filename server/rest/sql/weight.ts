// Limits the size of an answer while Postgres builds it, before it fills the memory.
import { MAX_ANSWER_BYTES } from '../limits.ts'

/** Part of the error that Postgres raises for an invalid number; sql-errors.ts recognises it. */
export const TOO_HEAVY = 'bytes are too many for one answer'

const WEIGHT = `'pgrst.weight'`
const SO_FAR = `coalesce(nullif(current_setting(${WEIGHT}, true), ''), '0')::bigint`

/**
 * Adds the size of `sql`'s result to this transaction's total; above the limit it raises 22P02. A nested list counts
 * again in each list around it, so a deep answer reaches the limit at a smaller size.
 */
export const weighed = (sql: string, type: 'json' | 'text' = 'json'): string =>
  `(select case when set_config(${WEIGHT}, (${SO_FAR} + octet_length("pgrst_piece"."made"::text))::text, true)::bigint > ${MAX_ANSWER_BYTES} ` +
  `then (current_setting(${WEIGHT}) || ' ${TOO_HEAVY}')::integer::text::${type} else "pgrst_piece"."made" end ` +
  // OFFSET prevents Postgres from inlining it, which would compute it for each use.
  `from (select ${sql} as "made" offset 0) as "pgrst_piece")`
