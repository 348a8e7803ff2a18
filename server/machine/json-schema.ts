// Converts the valibot schemas of the contract to JSON Schema (2020-12, as in OpenAPI 3.1).
import type * as v from 'valibot'

export type JsonSchema = { [name: string]: unknown }

type Schema = v.GenericSchema & {
  entries?: Record<string, Schema>
  item?: Schema
  value?: Schema
  wrapped?: Schema
  options?: readonly unknown[]
  pipe?: readonly { kind: string; type: string; requirement?: unknown }[]
}

export const isOptional = (schema: v.GenericSchema): boolean => schema.type === 'optional'

/** Throws for an unknown kind, so that none is silently left out. */
export function toJsonSchema(given: v.GenericSchema): JsonSchema {
  const schema: Schema = given
  return { ...base(schema), ...Object.assign({}, ...(schema.pipe ?? []).map(bounds)) }
}

function base({ type, entries = {}, item, value, wrapped, options }: Schema): JsonSchema {
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
      return { type }
    case 'unknown':
      return {}
    case 'picklist':
      return { type: 'string', enum: options }
    case 'array':
      return { type, ...(item && { items: toJsonSchema(item) }) }
    case 'record':
      return { type: 'object', ...(value && { additionalProperties: toJsonSchema(value) }) }
    case 'optional':
      return wrapped ? toJsonSchema(wrapped) : {}
    case 'nullable':
      return wrapped ? { anyOf: [toJsonSchema(wrapped), { type: 'null' }] } : {}
    case 'object':
    case 'strict_object':
      return {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(entries).map(([name, entry]) => [name, toJsonSchema(entry)]),
        ),
        required: Object.keys(entries).filter((name) => entries[name] && !isOptional(entries[name])),
        ...(type === 'strict_object' && { additionalProperties: false }),
      }
    default:
      throw new Error(`no JSON Schema for ${type}`)
  }
}

function bounds({ kind, type, requirement }: NonNullable<Schema['pipe']>[number]): JsonSchema {
  // A pipe also lists schemas, which are translated elsewhere, and transformations, which change the output alone.
  if (kind === 'schema' || kind === 'transformation') return {}
  switch (type) {
    case 'integer':
    case 'safe_integer':
      return { type: 'integer' }
    case 'min_value':
      return { minimum: requirement }
    case 'max_value':
      return { maximum: requirement }
    case 'min_length':
      return { minLength: requirement }
    case 'max_length':
      return { maxLength: requirement }
    case 'regex':
      return { pattern: requirement instanceof RegExp ? requirement.source : undefined }
    case 'iso_date':
      return { format: 'date' }
    case 'iso_timestamp':
      return { format: 'date-time' }
    case 'uuid':
      return { format: 'uuid' }
    case 'check':
      // A custom check that JSON Schema cannot express.
      return {}
    default:
      throw new Error(`no JSON Schema for ${type}`)
  }
}
