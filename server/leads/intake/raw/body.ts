// An intake body as text for the database, and its parsing.
import { isUtf8 } from 'node:buffer'
import { parseJson } from '#server/http/requests.ts'
import type { Sent } from './store.ts'

const MAX_TYPE = 190
const AS_BASE64 = ';base64'
/** Postgres refuses this character in text. */
const NUL = '\u0000'
/** Maximum depth of nested values. */
const DEEPEST = 60
/** Maximum fields of a form. */
const MAX_FIELDS = 1_000

/** The received bytes: as text if they are text, else as base64. */
export function toSent(bytes: Uint8Array, contentType: string, repeatKey: string | null): Sent {
  const type = contentType.slice(0, MAX_TYPE)
  const text = Buffer.from(bytes).toString('utf8')
  const isText = !text.includes(NUL) && Buffer.from(text, 'utf8').equals(bytes)
  return isText
    ? { contentType: type, repeatKey, body: text }
    : { contentType: type + AS_BASE64, repeatKey, body: Buffer.from(bytes).toString('base64') }
}

/** The named values of a body. Null: it is neither a form nor JSON. */
export function readSent({ contentType, body }: Sent): unknown {
  const isBase64 = contentType.endsWith(AS_BASE64)
  const type = isBase64 ? contentType.slice(0, -AS_BASE64.length) : contentType
  const bytes = Buffer.from(body, isBase64 ? 'base64' : 'utf8')
  if (/^(application\/x-www-form-urlencoded|multipart\/form-data)/i.test(type)) return readFields(bytes, type)
  const parsed = parseJson(isBase64 ? decoded(bytes, charsetOf(type)) : body)
  return isDeeper(parsed, DEEPEST) ? null : parsed
}

const isDeeper = (value: unknown, most: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (most === 0 || Object.values(value).some((inner) => isDeeper(inner, most - 1)))

/** A multipart form, which may hold files. */
export const isMultipart = (type: string) => /^multipart\/form-data/i.test(type)

/** Removes the files that an inbound mail service posts, which are not read. */
export function withoutFiles(bytes: Uint8Array, contentType: string): Uint8Array {
  const boundary = isMultipart(contentType) ? boundaryOf(contentType) : undefined
  if (boundary === undefined) return bytes
  const parts = splitAt(Buffer.from(bytes), boundary)
  const kept = parts.filter((part) => !isFile(headOf(part)))
  if (kept.length === parts.length) return bytes
  return Buffer.from(kept.join(`\r\n--${boundary}`).slice(2), 'latin1')
}

/** Reads the fields of a form. Each value is decoded with its own charset. */
function readFields(bytes: Buffer, type: string): Record<string, string> | null {
  const pairs = isMultipart(type) ? partsOf(bytes, type) : pairsOf(bytes)
  if (pairs === null || pairs.length > MAX_FIELDS) return null
  const fields = Object.fromEntries(pairs)
  const named = charsetsOf(fields['charsets'])
  return Object.fromEntries(
    pairs.map(([name, value]) => {
      const text = decoded(Buffer.from(value, 'latin1'), named(name) ?? charsetOf(type))
      return [decoded(Buffer.from(name, 'latin1'), charsetOf(type)), text.replaceAll(NUL, '')]
    }),
  )
}

/**
 * Names and values as latin1 bytes, without files. Node's own parser refuses boundaries under 27 characters,
 * and SendGrid's is 'xYzZY'.
 */
function partsOf(bytes: Buffer, type: string): [string, string][] | null {
  const boundary = boundaryOf(type)
  const [, ...parts] = boundary === undefined ? [] : splitAt(bytes, boundary)
  if (parts.length === 0) return null
  return parts.flatMap((part) => {
    const head = headOf(part)
    const [, name] = /^content-disposition:.*[;\s]name="([^"]*)"/im.exec(head) ?? []
    return name === undefined || isFile(head) ? [] : [[name, part.slice(head.length + 4)] as [string, string]]
  })
}

function boundaryOf(type: string): string | undefined {
  const [, quoted, plain] = /boundary=(?:"([^"]{1,200})"|([^\s;]{1,200}))/i.exec(type) ?? []
  return quoted ?? plain
}

/** The text before the first part, then each part from the end of its boundary line. */
const splitAt = (bytes: Buffer, boundary: string) =>
  `\r\n${bytes.toString('latin1')}`.split(`\r\n--${boundary}`)

const headOf = (part: string) => part.slice(0, Math.max(0, part.indexOf('\r\n\r\n')))

const isFile = (head: string) => /^content-disposition:.*[;\s]filename\*?=/im.test(head)

const pairsOf = (bytes: Buffer): [string, string][] =>
  bytes
    .toString('latin1')
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.includes('=') ? pair.indexOf('=') : pair.length
      return [unescaped(pair.slice(0, at)), unescaped(pair.slice(at + 1))]
    })

const unescaped = (text: string) =>
  text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** SendGrid reports the e-mail's charset for each value: {"text": "iso-8859-1"}. */
function charsetsOf(field: string | undefined): (name: string) => string | undefined {
  const charsets = field === undefined ? null : parseJson(field)
  return (name) => {
    const charset: unknown =
      typeof charsets === 'object' && charsets !== null ? Reflect.get(charsets, name) : undefined
    return typeof charset === 'string' ? charset.slice(0, 40) : undefined
  }
}

const charsetOf = (type: string) => /charset="?([\w-]{1,40})/i.exec(type)?.[1]

/** Bytes that are no UTF-8 use the named charset, else windows-1252, in which every byte is valid. */
function decoded(bytes: Uint8Array, named = 'windows-1252'): string {
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes)
  try {
    return new TextDecoder(named, { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
