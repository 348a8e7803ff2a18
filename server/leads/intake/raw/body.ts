// A body of intake as text that can be stored, and what it tells when it is read again.
import { parseJson } from '#server/http/requests.ts'
import type { Sent } from './store.ts'

const MAX_TYPE = 190
const AS_BASE64 = ';base64'
/** What the database's text does not take. */
const NUL = '\u0000'

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
export async function readSent({ contentType, body }: Sent): Promise<unknown> {
  const isBase64 = contentType.endsWith(AS_BASE64)
  const type = isBase64 ? contentType.slice(0, -AS_BASE64.length) : contentType
  const text = isBase64 ? decoded(Buffer.from(body, 'base64'), type) : body
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)/i.test(type)) return parseJson(text)
  const bytes = Buffer.from(text.replaceAll(NUL, ''), 'utf8')
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => null)
  return form && Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'))
}

/** What is no UTF-8 is in the charset that it names, else in the one of old Windows forms: every byte is a letter there. */
function decoded(bytes: Uint8Array, type: string): string {
  const [, named = 'windows-1252'] = /charset="?([\w-]{1,40})/i.exec(type) ?? []
  for (const charset of ['utf-8', named]) {
    try {
      return new TextDecoder(charset, { fatal: true }).decode(bytes)
    } catch {
      // Another one.
    }
  }
  return new TextDecoder('windows-1252').decode(bytes)
}
