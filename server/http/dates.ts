// Validates days and instants in requests, by format and calendar.
import * as v from 'valibot'
import { isDay, isFar } from '#domain/dashboard/period.ts'

const DAY_LENGTH = 'YYYY-MM-DD'.length

/** 2026-02-28; refuses days that do not exist. */
export const day = v.pipe(
  v.string(),
  v.isoDate(),
  v.check((text) => isDay(text) && !isFar(text)),
)

/** Postgres has no year 0 and no time zone beyond 16 hours. */
const FIRST_DAY = '0001-01-02'
const ZONE = /(?:Z|[+-](?:0\d|1[0-5])(?::?\d\d)?)$/

/** 2026-02-28T12:00:00Z, or with another time zone. */
export const instant = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.check((text) => isDay(text.slice(0, DAY_LENGTH)) && text >= FIRST_DAY && ZONE.test(text)),
)
