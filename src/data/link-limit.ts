// Reads the portal's word that WhatsApp limits a number.
import * as v from 'valibot'

/** Null if the number may begin conversations, and from an older portal. */
export const LinkLimitRow = v.nullish(
  v.pipe(
    v.object({ until: v.nullable(v.string()), isQuota: v.boolean(), hasNoEnd: v.boolean() }),
    v.transform(({ until, ...limit }) => ({ ...limit, untilMs: until === null ? null : Date.parse(until) })),
  ),
  null,
)
