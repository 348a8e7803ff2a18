// What an answer weighs while Postgres makes it: one that would fill the memory ends before it does.
import { MAX_ANSWER_BYTES } from '../limits.ts'

/** In the refusal that Postgres words for a number that is none, by which it is known again (sql-errors.ts). */
export const TOO_HEAVY = 'bytes are too many for one answer'

const WEIGHT = `'pgrst.weight'`
const SO_FAR = `coalesce(nullif(current_setting(${WEIGHT}, true), ''), '0')::bigint`

/**
 * What `sql` makes, its bytes added to what this transaction's answer weighs so far; above the limit it raises 22P02.
 * What embeds it adds it again, so that the limit holds for the largest copy that is ever made.
 */
export const weighed = (sql: string, type: 'json' | 'text' = 'json'): string =>
  `(select case when set_config(${WEIGHT}, (${SO_FAR} + octet_length("pgrst_piece"."made"::text))::text, true)::bigint > ${MAX_ANSWER_BYTES} ` +
  `then (current_setting(${WEIGHT}) || ' ${TOO_HEAVY}')::integer::text::${type} else "pgrst_piece"."made" end ` +
  // Without OFFSET it would be pulled up and made once for each time it is named.
  `from (select ${sql} as "made" offset 0) as "pgrst_piece")`
