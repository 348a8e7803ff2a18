// The columns of a SELECT, and its GROUP BY if some are aggregates.
import type { Aggregate } from '../parse/select.ts'
import { quoteName } from './statement.ts'

/** A column of the answer; `name` is null for all columns of an unknown row type. */
export type Output = { name: string | null; sql: string } & (
  | { kind: 'value' }
  /** An embedded object or array, of type json, which has no equality. */
  | { kind: 'json' }
  | { kind: 'aggregate' }
  /** The argument of an aggregate that the parent level computes. */
  | { kind: 'pending'; pending: { aggregate: Aggregate; cast: string | null } }
)

/** GROUP BY over all columns without an aggregate, by position; empty without aggregates. */
export function groupBy(outputs: readonly Output[]): string {
  if (!outputs.some(({ kind }) => kind === 'aggregate')) return ''
  const positions = outputs.flatMap(({ kind }, at) => (kind === 'aggregate' ? [] : [String(at + 1)]))
  return positions.length === 0 ? '' : ` group by ${positions.join(', ')}`
}

/** The select list. Embeds become jsonb if rows are grouped by them. */
export function selectList(outputs: readonly Output[]): string {
  const isGrouped = groupBy(outputs) !== ''
  return outputs
    .map(({ name, sql, kind }) => {
      const value = isGrouped && kind === 'json' ? `(${sql})::jsonb` : sql
      return name === null ? value : `${value} as ${quoteName(name)}`
    })
    .join(', ')
}
