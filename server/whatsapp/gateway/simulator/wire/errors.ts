// The gateway's refusals and its check of bodies. Every refusal has one envelope; its message has one of four shapes.
import { STATUS_CODES } from 'node:http'
import type { Json } from '../state.ts'

export class WireError extends Error {
  override readonly name = 'WireError'
  readonly status: number
  readonly body: Json

  constructor(status: number, said: unknown, phrase = STATUS_CODES[status]) {
    super(`simulated ${status}`)
    this.status = status
    this.body = { status, error: phrase, response: { message: said } }
  }
}

export type Rule = {
  /** The field's name; a nested one has dots, such as 'key.remoteJid'. */
  field: string
  type: 'string' | 'integer' | 'number' | 'boolean' | 'object'
  isRequired?: boolean
  oneOf?: readonly string[]
  pattern?: RegExp
  /** Replaces the validator's message. */
  says?: string
}

/** Throws the 400 whose message is a list within a list. */
export function checkBody(body: Json, rules: readonly Rule[]) {
  const faults = rules.flatMap((rule) => faultOf(body, rule) ?? [])
  if (faults.length > 0) throw new WireError(400, [faults])
}

function faultOf(body: Json, rule: Rule): string | null {
  const path = rule.field.split('.')
  const name = path.pop() ?? ''
  let parent: unknown = body
  for (const step of path) parent = isJson(parent) ? parent[step] : undefined
  if (!isJson(parent)) return null
  const value = parent[name]
  if (value === undefined)
    return rule.isRequired ? `${path.join('.') || 'instance'} requires property "${name}"` : null
  if (isOfType(value, rule)) return null
  if (rule.says !== undefined) return rule.says
  return rule.oneOf !== undefined && typeof value === 'string'
    ? `${rule.field} is not one of enum values: ${rule.oneOf.join(',')}`
    : `${rule.field} is not of a type(s) ${rule.type}`
}

function isOfType(value: unknown, { type, oneOf, pattern }: Rule): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'number') return typeof value === 'number'
  if (type === 'object') return isJson(value)
  if (type === 'boolean') return typeof value === 'boolean'
  return typeof value === 'string' && (oneOf?.includes(value) ?? true) && (pattern?.test(value) ?? true)
}

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
