// Ids as requests tell them: whole, and such as the database's columns hold.
import * as v from 'valibot'

/** Of a bigint. */
export const id = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

/** Of an integer: rotations, agents, stages. */
export const shortId = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2_147_483_647))
