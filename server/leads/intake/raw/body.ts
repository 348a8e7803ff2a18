// A body of intake as text that can be stored, and what it tells when it is read again.
import { isUtf8 } from 'node:buffer'
import { parseJson } from '#server/http/requests.ts'
import type { Sent } from './store.ts'

const MAX_TYPE = 190
const AS_BASE64 = ';base64'
/** What the database's text does not take. */
const NUL = '\u0000'
/** What is written out of values within values, and compared, goes no deeper. */
const DEEPEST = 60
/** Of a form; none has so many. */
const MOST_FIELDS = 1_000

/** Exactly the bytes that were sent: as text where they are one, else as base64. */
export function toSent(bytes: Uint8Array, contentType: string, repeatKey: string | null): Sent {
  const type = contentType.slice(0, MAX_TYPE)
  const text = Buffer.from(bytes).toString('utf8')
  const isText = !text.includes(NUL) && Buffer.from(text, 'utf8').equals(bytes)
  return isText
    ? { contentType: type, repeatKey, body: text }
    : { contentType: type + AS_BASE64, repeatKey, body: Buffer.from(bytes).toString('base64') }
}

/** The values by their names; null where it is neither a form nor JSON. */
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

/** A form of parts, which may hold files. */
export const isMultipart = (type: string) => /^multipart\/form-data/i.test(type)

/** Of what a service of inbound mail posts, without the files beside it: nothing is read of them. */
export function withoutFiles(bytes: Uint8Array, contentType: string): Uint8Array {
  const boundary = isMultipart(contentType) ? boundaryOf(contentType) : undefined
  if (boundary === undefined) return bytes
  const parts = splitAt(Buffer.from(bytes), boundary)
  const kept = parts.filter((part) => !isFile(headOf(part)))
  if (kept.length === parts.length) return bytes
  return Buffer.from(kept.join(`\r\n--${boundary}`).slice(2), 'latin1')
}

/** Each value is text in a charset of its own: an attachment beside it, or another value, says nothing of it. */
function readFields(bytes: Buffer, type: string): Record<string, string> | null {
  const pairs = isMultipart(type) ? partsOf(bytes, type) : pairsOf(bytes)
  if (pairs === null || pairs.length > MOST_FIELDS) return null
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
 * Names and values as bytes, one a letter (latin1); without files. The platform's own reader takes no boundary under 27
 * letters, and SendGrid's is 'xYzZY'.
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

/** What stands before the first part, then each part, from the end of its line on. */
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

/** SendGrid says of each value in which charset the e-mail had it: {"text": "iso-8859-1"}. */
function charsetsOf(field: string | undefined): (name: string) => string | undefined {
  const charsets = field === undefined ? null : parseJson(field)
  return (name) => {
    const charset: unknown =
      typeof charsets === 'object' && charsets !== null ? Reflect.get(charsets, name) : undefined
    return typeof charset === 'string' ? charset.slice(0, 40) : undefined
  }
}

const charsetOf = (type: string) => /charset="?([\w-]{1,40})/i.exec(type)?.[1]

/** What is no UTF-8 is in the charset that is named, else in the one of old Windows forms: every byte is a letter there. */
function decoded(bytes: Uint8Array, named = 'windows-1252'): string {
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes)
  try {
    return new TextDecoder(named, { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
