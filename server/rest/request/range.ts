// The requested rows: limit and offset, and the Range header of a GET.
import { badRange } from '../errors.ts'
import type { Level } from '../parse/select.ts'

/**
 * Intersects `level` with the `items` range of the header, as PostgREST does. Throws PGRST103 if nothing is
 * left.
 */
export function applyRangeHeader(level: Level, header: string | null): void {
  const found = /^(?:items=)?(\d{1,15})-(\d{0,15})$/.exec(header?.trim() ?? '')
  if (!found) return
  const offset = BigInt(level.offset ?? '0')
  const from = max(BigInt(found[1] ?? '0'), offset)
  const ends = [
    ...(found[2] ? [BigInt(found[2]) + 1n] : []),
    ...(level.limit === null ? [] : [offset + BigInt(level.limit)]),
  ]
  const end = ends.length === 0 ? null : ends.reduce((a, b) => (a < b ? a : b))
  if (end !== null && end <= from && level.limit !== '0')
    throw badRange(
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    )
  level.offset = String(from)
  if (end !== null) level.limit = String(max(end - from, 0n))
}

const max = (a: bigint, b: bigint) => (a > b ? a : b)
