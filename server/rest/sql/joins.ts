// FROM clause of an embedded relation, and its join with the parent row.
import type { ColumnPairs, Relationship } from '../catalog/model.ts'
import { qualified, quoteName, type Source, type Statement } from './statement.ts'

export type Join = { from: string; conditions: string[] }

export function joinSql(
  statement: Statement,
  relationship: Relationship,
  ends: { parent: Source; child: string },
): Join {
  const { parent, child } = ends
  const target = `${qualified(relationship.target)} as ${child}`
  const readParent = (column: string) => {
    parent.reads?.add(column)
    return `${parent.alias}.${quoteName(column)}`
  }
  switch (relationship.kind) {
    case 'key':
      return {
        from: target,
        conditions: relationship.columns.map(
          ([here, there]) => `${child}.${quoteName(there)} = ${readParent(here)}`,
        ),
      }
    case 'junction': {
      const junction = statement.alias(relationship.junction.name)
      const { toOrigin, toTarget } = relationship
      return {
        from: `${qualified(relationship.junction)} as ${junction} join ${target} on ${equal(junction, child, toTarget.columns)}`,
        conditions: toOrigin.columns.map(
          ([here, there]) => `${junction}.${quoteName(here)} = ${readParent(there)}`,
        ),
      }
    }
    case 'computed': {
      for (const column of relationship.origin.columns.keys()) parent.reads?.add(column)
      const row = `${parent.alias}::${qualified(relationship.origin)}`
      return { from: `${qualified(relationship.routine)}(${row}) as ${child}`, conditions: [] }
    }
  }
}

const equal = (left: string, right: string, pairs: ColumnPairs) =>
  pairs.map(([here, there]) => `${left}.${quoteName(here)} = ${right}.${quoteName(there)}`).join(' and ')
