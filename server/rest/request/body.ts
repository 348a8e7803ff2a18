// The request body: read up to a limit, validated as JSON, kept as text so that no digit is lost.
import { bytesUpTo } from '#server/request-bytes.ts'
import { badBody } from '../errors.ts'
import { MAX_NESTING } from '../limits.ts'
import { nestingOf } from '../parse/value-limits.ts'

/** JSON as text, with what the plan needs: whether it is an array, the keys and the number of its rows. */
export type JsonBody = {
  text: string
  isArray: boolean
  keys: string[]
  rowKeys: string[][]
  isUniform: boolean
}

/** The body as text; throws 413 beyond `limitBytes`. */
export const readBody = async (request: Request, limitBytes: number): Promise<string> =>
  toText(await readBytes(request, limitBytes))

/** The raw body; throws 413 beyond `limitBytes`. */
export async function readBytes(request: Request, limitBytes: number): Promise<Buffer<ArrayBuffer>> {
  const bytes = await bytesUpTo(request, limitBytes)
  if (bytes === null) throw badBody(`The request body is larger than ${limitBytes} bytes`, 413)
  return bytes
}

export function toText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw badBody('Empty or invalid json')
  }
}

/** The media type of the body; JSON by default. */
export const bodyType = (request: Request) =>
  (request.headers.get('content-type') ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? ''

export function requireJson(type: string): void {
  if (type !== 'application/json') throw badBody(`Content-Type not acceptable: ${type}`)
}

/** Parses rows to insert, values to set or arguments; anything but objects counts as rows without keys. */
export function parseJsonBody(text: string): JsonBody {
  if (nestingOf(text) > MAX_NESTING) throw badBody(`The JSON nests deeper than ${MAX_NESTING} levels`)
  const value = parse(text)
  const isArray = Array.isArray(value)
  const rows: unknown[] = isArray ? value : [value]
  if (!isArray && !isObject(value))
    return { text: '[]', isArray: true, keys: [], rowKeys: [], isUniform: true }
  const rowKeys = rows.map((row) => (isObject(row) ? Object.keys(row) : []))
  const keys = rowKeys[0] ?? []
  const known = new Set(keys)
  const isUniform = rows.every(
    (row, at) =>
      isObject(row) && rowKeys[at]?.length === keys.length && rowKeys[at].every((key) => known.has(key)),
  )
  return { text, isArray, keys, rowKeys, isUniform }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw badBody('Empty or invalid json')
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
