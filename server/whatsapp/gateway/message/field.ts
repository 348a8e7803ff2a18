// Reads one field of foreign JSON: the expected type or null, never an exception.
import { cleanText } from '#domain/clean-text.ts'

export type Fields = Record<string, unknown>

export function fieldsOf(value: unknown): Fields | null {
  // The type guard: a non-array object is a record of unknown values.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
}

/** The object under `key`, or an empty one. */
export function child(fields: Fields, key: string): Fields {
  return fieldsOf(fields[key]) ?? {}
}

const MAX_TEXT = 100_000

/** Clean text of at most `max` characters, or null when it is no text or empty. */
export function text(value: unknown, max = MAX_TEXT): string | null {
  if (typeof value !== 'string') return null
  return cleanText(value.slice(0, max)) || null
}

/** A finite number, also written as text or as protobuf's {low, high, unsigned}. */
export function number(value: unknown): number | null {
  const long = fieldsOf(value)
  if (long)
    return typeof long['low'] === 'number' && typeof long['high'] === 'number' ? fromHalves(long) : null
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return null
  const read = Number(value)
  return Number.isFinite(read) ? read : null
}

function fromHalves({ low, high }: Fields): number {
  return Number(high) * 2 ** 32 + (Number(low) >>> 0)
}

/** A whole number of at least zero that fits a 32-bit column or JavaScript exactly. */
export function count(value: unknown): number | null {
  const read = number(value)
  return read !== null && read >= 0 && Number.isSafeInteger(Math.round(read)) ? Math.round(read) : null
}

/** Epoch seconds of a time written as seconds, milliseconds or ISO text; null outside 2009 to 2100. */
export function epochSeconds(value: unknown): number | null {
  const written = number(value) ?? (typeof value === 'string' ? Date.parse(value) : Number.NaN)
  const seconds = Math.floor(written > 1e11 ? written / 1000 : written)
  return seconds >= 1_230_768_000 && seconds < 4_102_444_800 ? seconds : null
}

export function epochMs(value: unknown): number | null {
  const seconds = epochSeconds(value)
  return seconds === null ? null : seconds * 1000
}

/**
 * Bytes as base64 text, from base64, a list of numbers, or a protobuf's indexed object; null beyond `max`
 * bytes.
 */
export function base64(value: unknown, max: number): string | null {
  const listed = fieldsOf(value)?.['data'] ?? value
  if (typeof listed === 'string') {
    const bytes = Buffer.from(listed.slice(0, max * 2), 'base64')
    return bytes.length > 0 && bytes.length <= max ? bytes.toString('base64') : null
  }
  if (typeof listed !== 'object' || listed === null) return null
  const numbers: unknown[] = Object.values(listed)
  const isBytes = numbers.every((one) => typeof one === 'number' && one >= 0 && one < 256)
  if (numbers.length === 0 || numbers.length > max || !isBytes) return null
  return Buffer.from(numbers.map(Number)).toString('base64')
}

export function isTrue(value: unknown): boolean {
  return value === true || value === 'true'
}

/** Cleans all text in a value, for jsonb. Values nested deeper than 40 levels are dropped. */
export function cleanValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= 40) return null
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [cleanText(key), cleanValue(item, depth + 1)]),
  )
}
