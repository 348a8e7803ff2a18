// Finds the overload of a function for a call, by the names of its arguments.
import { RestError } from '../errors.ts'
import { keyOf, type Catalog, type Routine } from './model.ts'
import { nearestName } from './near-names.ts'

export type Call = {
  schema: string
  name: string
  /** Names of the given arguments. */
  argNames: readonly string[]
  /** Media type of a POST's body, null for GET. */
  bodyType: string | null
}

/**
 * The routine, and whether the whole body is its single unnamed argument. Throws PGRST202, or PGRST203 for
 * several.
 */
export function findRoutine(catalog: Catalog, call: Call): { routine: Routine; takesBody: boolean } {
  const overloads = catalog.routines.get(keyOf(call.schema, call.name)) ?? []
  const named = overloads.filter((routine) => matchesNames(routine, call))
  const [routine] = named
  if (named.length > 1) throw ambiguous(named)
  if (routine) return { routine, takesBody: false }
  const unnamed = overloads.filter((candidate) => takesWholeBody(candidate, call.bodyType))
  const [whole] = unnamed
  if (unnamed.length > 1) throw ambiguous(unnamed)
  if (whole) return { routine: whole, takesBody: true }
  throw routineNotFound(catalog, call, overloads)
}

/** Types of an argument that takes the whole body, by the body's media type. */
const WHOLE_BODIES: Readonly<Record<string, readonly string[]>> = {
  'application/json': ['json', 'jsonb'],
  'text/plain': ['text'],
  'text/xml': ['xml'],
  'application/octet-stream': ['bytea'],
}

/** Tells whether a client may call a function with a body of this media type. */
export const isBodyType = (type: string): boolean => Object.hasOwn(WHOLE_BODIES, type)

/** A body that is no JSON has no named arguments, and a function without arguments cannot take it. */
function matchesNames({ args }: Routine, { argNames, bodyType }: Call): boolean {
  if (args.length === 0 && bodyType !== null && bodyType !== 'application/json') return false
  const known = new Set(args.map(({ name }) => name))
  return (
    argNames.every((name) => known.has(name)) &&
    args.every(({ name, isOptional }) => isOptional || (name !== '' && argNames.includes(name)))
  )
}

function takesWholeBody({ args }: Routine, bodyType: string | null): boolean {
  const [only] = args
  if (args.length !== 1 || only?.name !== '' || bodyType === null) return false
  return WHOLE_BODIES[bodyType]?.includes(only.type) ?? false
}

const ambiguous = (routines: readonly Routine[]) =>
  new RestError({
    status: 300,
    code: 'PGRST203',
    message: `Could not choose the best candidate function between: ${routines
      .map(
        ({ schema, name, args }) =>
          `${schema}.${name}(${args.map((arg) => `${arg.name} => ${arg.type}`).join(', ')})`,
      )
      .join(', ')}`,
    hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
  })

/** PGRST202, with the nearest name as hint. */
export function routineNotFound(catalog: Catalog, call: Call, overloads: readonly Routine[]): RestError {
  const name = `${call.schema}.${call.name}`
  const args = call.argNames.toSorted()
  const wholeType = call.bodyType === 'application/json' ? null : WHOLE_BODIES[call.bodyType ?? '']?.[0]
  const given = args.length === 0 ? ' without parameters' : `(${args.join(', ')})`
  const searched =
    args.length === 0
      ? ' without parameters'
      : ` with parameter${args.length > 1 ? 's' : ''} ${args.join(', ')}`
  const orBody = call.bodyType === 'application/json' ? ' or with a single unnamed json/jsonb parameter' : ''
  return new RestError({
    status: 404,
    code: 'PGRST202',
    message: `Could not find the function ${name}${wholeType ? '' : given} in the schema cache`,
    details: `Searched for the function ${name}${wholeType ? ` with a single unnamed ${wholeType} parameter` : searched + orBody}, but no matches were found in the schema cache.`,
    hint: wholeType ? null : hintFor(catalog, call, overloads),
  })
}

function hintFor(catalog: Catalog, call: Call, overloads: readonly Routine[]): string | null {
  const meant = 'Perhaps you meant to call the function '
  if (overloads.length === 0) {
    const names = [...catalog.routines.values()]
      .flatMap(([first]) => (first ? [first] : []))
      .filter(({ schema }) => schema === call.schema)
    const near = nearestName(
      call.name,
      names.map(({ name }) => name),
    )
    return near && `${meant}${call.schema}.${near}`
  }
  const list = (names: readonly string[]) => `(${names.toSorted().join(', ')})`
  const lists = overloads.map(({ args }) => list(args.map(({ name }) => name)))
  const near = nearestName(list(call.argNames), lists, 0.33)
  return near && `${meant}${call.schema}.${call.name}${near}`
}
