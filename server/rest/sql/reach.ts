// An upper bound of the rows of a level, before anything runs: repeated embeds multiply rows.
import { isToOne, type Relationship } from '../catalog/model.ts'
import { tooFarReaching } from '../errors.ts'
import { MAX_REPEATED_ROWS, USUAL_ROWS } from '../limits.ts'
import type { Level } from '../parse/select.ts'
import type { Reach, Scope, Source } from './statement.ts'

/** The reach of the table that the request names. */
export function rootReach(scope: Scope, source: Source, level: Level): Reach {
  return { rows: isOneByKey(source, level) ? 1 : rowsOf(scope, level), isShared: false }
}

/**
 * For an embed. Children with one parent each are read once, so the table bounds them. Below a row that
 * several parents share they are read again for each; throws PGRSTX05 if that could be too many.
 */
export function embedReach(
  scope: Scope,
  parent: Reach,
  { relationship, level }: { relationship: Relationship; level: Level },
): Reach {
  if (relationship.kind === 'key' && isToOne(relationship)) return { rows: parent.rows, isShared: true }
  const rows = parent.rows * (isToOne(relationship) ? 1 : rowsOf(scope, level))
  if (parent.isShared && rows > MAX_REPEATED_ROWS)
    throw tooFarReaching(relationship.target.name, MAX_REPEATED_ROWS)
  return { rows, isShared: parent.isShared || relationship.kind !== 'key' }
}

const rowsOf = ({ maxRows }: Scope, { limit }: Level): number =>
  Math.min(maxRows ?? USUAL_ROWS, limit === null ? USUAL_ROWS : Number(limit))

/** `id=eq.5` on a table whose key is `id`. */
const isOneByKey = ({ table }: Source, { conditions }: Level): boolean =>
  table?.primaryKey.length === 1 &&
  conditions.some(
    (tree) =>
      tree.kind === 'condition' &&
      !tree.isNegated &&
      tree.field.path.length === 0 &&
      tree.field.name === table.primaryKey[0] &&
      tree.operation.kind === 'compare' &&
      tree.operation.operator === 'eq',
  )
