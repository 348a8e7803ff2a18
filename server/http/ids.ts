// Validates ids in requests: whole numbers that fit the database's columns.
import * as v from 'valibot'

/** A bigint. */
export const id = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

/** An integer: rotations, agents, stages. */
export const shortId = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2_147_483_647))
