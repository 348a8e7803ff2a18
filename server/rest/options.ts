// Allowed methods of a table or function, by OPTIONS. Pages of other origins get no answer.
import { routineNotFound } from './catalog/find-routine.ts'
import { findTable } from './catalog/find-table.ts'
import { keyOf } from './catalog/model.ts'
import type { Inquiry } from './plan.ts'
import type { Target } from './request/target.ts'

/**
 * The methods in `Allow`, without regard to permissions. Throws PGRST205 and PGRST202 for what is not
 * exposed.
 */
export function optionsOf(inquiry: Inquiry, target: Target): Response {
  const methods = target.kind === 'table' ? ofTable(inquiry, target.name) : ofRoutine(inquiry, target.name)
  return new Response(null, { status: 200, headers: { allow: ['OPTIONS', ...methods].join(',') } })
}

const ofTable = ({ catalog, schema }: Inquiry, name: string): string[] => [
  'GET',
  'HEAD',
  ...findTable(catalog, schema, name).writes,
]

/** Covers all overloads: if one of them writes, clients must use POST. */
function ofRoutine({ catalog, schema }: Inquiry, name: string): string[] {
  const overloads = catalog.routines.get(keyOf(schema, name))
  if (!overloads) throw routineNotFound(catalog, { schema, name, argNames: [], bodyType: null }, [])
  return overloads.every(({ isVolatile }) => isVolatile) ? ['POST'] : ['GET', 'HEAD', 'POST']
}
