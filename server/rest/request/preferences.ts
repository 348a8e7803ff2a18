// The Prefer header and the Preference-Applied answer to it.
import { badPreferences } from '../errors.ts'

export type Preferences = {
  resolution: 'merge-duplicates' | 'ignore-duplicates' | null
  missing: 'default' | 'null' | null
  return: 'representation' | 'minimal' | 'headers-only' | null
  count: 'exact' | 'planned' | 'estimated' | null
  tx: 'commit' | 'rollback' | null
  handling: 'strict' | 'lenient' | null
  /** A time zone that Postgres knows. */
  timezone: string | null
  maxAffected: number | null
}

const KNOWN = {
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['default', 'null'],
  return: ['representation', 'minimal', 'headers-only'],
  count: ['exact', 'planned', 'estimated'],
  tx: ['commit', 'rollback'],
  handling: ['strict', 'lenient'],
} as const

const ZONE = 'timezone='

/** Tells whether the header names a time zone, which is checked against the database's list. */
export const namesTimeZone = (header: string | null): boolean => header?.includes(ZONE) ?? false

/**
 * The first of each known preference. `tx` counts only if rollback on demand is allowed, a time zone only if
 * it is known. With handling=strict an unknown preference is refused, else ignored.
 */
export function parsePreferences(
  header: string | null,
  allowRollback: boolean,
  timeZones: ReadonlySet<string> = new Set(),
): Preferences {
  const given = (header ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const zone = given.find((part) => part.startsWith(ZONE))?.slice(ZONE.length)
  const timezone = zone !== undefined && timeZones.has(zone) ? zone : null
  const pick = <const Value extends string>(name: string, values: readonly Value[]): Value | null => {
    for (const part of given) {
      const value = values.find((known) => part === `${name}=${known}`)
      if (value !== undefined) return value
    }
    return null
  }
  const preferences: Preferences = {
    resolution: pick('resolution', KNOWN.resolution),
    missing: pick('missing', KNOWN.missing),
    return: pick('return', KNOWN.return),
    count: pick('count', KNOWN.count),
    tx: allowRollback ? pick('tx', KNOWN.tx) : null,
    handling: pick('handling', KNOWN.handling),
    timezone,
    maxAffected: readMaxAffected(given),
  }
  const unknown = given.filter((part) => !isKnown(part) && !(timezone !== null && part.startsWith(ZONE)))
  if (preferences.handling === 'strict' && unknown.length > 0) throw badPreferences(unknown)
  return preferences
}

const MAX_AFFECTED = /^max-affected=(\d{1,15})$/

function readMaxAffected(given: readonly string[]): number | null {
  const digits = given.map((part) => MAX_AFFECTED.exec(part)?.[1]).find((found) => found !== undefined)
  return digits === undefined ? null : Number(digits)
}

const isKnown = (part: string) =>
  MAX_AFFECTED.test(part) ||
  Object.entries(KNOWN).some(([name, values]) => values.some((value) => part === `${name}=${value}`))

type Applied = keyof typeof KNOWN | 'maxAffected'

/** The Preference-Applied header for the preferences that this kind of request uses; null for none. */
export function preferenceApplied(preferences: Preferences, heeded: readonly Applied[]): string | null {
  const parts: string[] = (['resolution', 'missing', 'return', 'count', 'tx', 'handling'] as const)
    .filter((name) => heeded.includes(name) && preferences[name] !== null)
    .map((name) => `${name}=${preferences[name]}`)
  if (preferences.timezone !== null) parts.push(ZONE + preferences.timezone)
  if (heeded.includes('maxAffected') && preferences.handling === 'strict' && preferences.maxAffected !== null)
    parts.push(`max-affected=${preferences.maxAffected}`)
  return parts.length === 0 ? null : parts.join(', ')
}
