// Finds breaking changes between two OpenAPI documents: a client of the first would fail with the second.

type Schema = {
  type?: string
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: string[]
  additionalProperties?: boolean | Schema
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}
type Media = { content?: Record<string, { schema: Schema }> }
type Parameter = { name: string; in: string; required: boolean; schema: Schema }
type Operation = {
  description: string
  parameters: Parameter[]
  requestBody?: Media
  responses: Record<string, Media>
}
type Document = { paths: Record<string, Record<string, Operation>> }

/** One line per breaking change; empty if every client of `before` still works. */
export function breaksOf(before: Document, after: Document): string[] {
  return Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const at = `${path} ${method}`
      const now = after.paths[path]?.[method]
      return now ? operationBreaks(at, operation, now) : [`${at} is gone`]
    }),
  )
}

function operationBreaks(at: string, before: Operation, after: Operation): string[] {
  const named = ({ name, in: where }: Parameter) => `${where} ${name}`
  const known = new Map(before.parameters.map((one) => [named(one), one]))
  const now = new Map(after.parameters.map((one) => [named(one), one]))
  return [
    ...(before.description === after.description ? [] : [`${at}: ${after.description}`]),
    ...[...known].flatMap(([name, one]) => {
      const other = now.get(name)
      return other ? taken(`${at} ${name}`, one.schema, other.schema) : [`${at} takes no ${name}`]
    }),
    ...[...now].flatMap(([name, { required }]) =>
      required && known.get(name)?.required !== true ? [`${at} needs ${name}`] : [],
    ),
    ...schemasOf(before.requestBody).flatMap(([type, schema]) => {
      const other = after.requestBody?.content?.[type]?.schema
      return other ? taken(`${at} body`, schema, other) : [`${at} takes no ${type}`]
    }),
    ...Object.entries(before.responses).flatMap(([status, response]) =>
      schemasOf(response).flatMap(([type, schema]) => {
        const other = after.responses[status]?.content?.[type]?.schema
        return other ? given(`${at} ${status}`, schema, other) : [`${at} answers no ${status} ${type}`]
      }),
    ),
  ]
}

const schemasOf = (media: Media | undefined) =>
  Object.entries(media?.content ?? {}).map(([type, { schema }]) => [type, schema] as const)

const kindOf = ({ type, format, anyOf }: Schema): string => JSON.stringify([type, format, anyOf?.map(kindOf)])

/** Answers must keep their fields and forms. */
function given(at: string, before: Schema, after: Schema): string[] {
  if (kindOf(before) !== kindOf(after)) return [`${at} is ${kindOf(after)}`]
  const more = (after.enum ?? []).filter((value) => before.enum && !before.enum.includes(value))
  return [
    ...more.map((value) => `${at} may be ${value}`),
    ...(before.required ?? []).flatMap((name) =>
      after.required?.includes(name) ? [] : [`${at} required ${name} may be missing`],
    ),
    ...inside(at, before, after, given),
  ]
}

/** Accepted inputs must stay accepted. */
function taken(at: string, before: Schema, after: Schema): string[] {
  if (kindOf(before) !== kindOf(after)) return [`${at} is ${kindOf(after)}`]
  const less = (before.enum ?? []).filter((value) => after.enum && !after.enum.includes(value))
  const tighter = (name: 'maximum' | 'maxLength', sign: 1) =>
    after[name] !== undefined && sign * after[name] < (before[name] ?? Number.POSITIVE_INFINITY)
  const higher = (name: 'minimum' | 'minLength') =>
    after[name] !== undefined && after[name] > (before[name] ?? Number.NEGATIVE_INFINITY)
  return [
    ...less.map((value) => `${at} may not be ${value}`),
    ...(['maximum', 'maxLength'] as const).flatMap((name) => (tighter(name, 1) ? [`${at} ${name}`] : [])),
    ...(['minimum', 'minLength'] as const).flatMap((name) => (higher(name) ? [`${at} ${name}`] : [])),
    ...(after.pattern === before.pattern ? [] : [`${at} pattern`]),
    ...(after.required ?? []).flatMap((name) =>
      before.required?.includes(name) ? [] : [`${at} needs ${name}`],
    ),
    ...inside(at, before, after, taken),
  ]
}

function inside(at: string, before: Schema, after: Schema, compare: typeof given): string[] {
  const fields = Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
    const other = after.properties?.[name]
    return other ? compare(`${at}.${name}`, schema, other) : [`${at}.${name} is gone`]
  })
  const items = before.items && after.items ? compare(`${at}[]`, before.items, after.items) : []
  const either = (before.anyOf ?? []).flatMap((schema, index) => {
    const other = after.anyOf?.[index]
    return other ? compare(at, schema, other) : []
  })
  return [...fields, ...items, ...either]
}
