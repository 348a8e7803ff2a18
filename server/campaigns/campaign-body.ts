// What every start of a campaign has: its body with a file or without, the file in the store, and each final text.
import type { Context } from 'hono'
import { fillName } from '#domain/message/placeholder.ts'
import { formOf, jsonOf, type Signed } from '#server/http/requests.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { requireLength } from './campaign-input.ts'

/** Validates a file's description and returns it in the form of a message's content; raises PortalErrors. */
export type ReadAttachment = (
  description: unknown,
  bytes: Uint8Array,
) => { kind: string; content: Record<string, unknown> }
export type Attached = { attachment: ReturnType<ReadAttachment>; bytes: Uint8Array }

/**
 * Reads a request to start a campaign: JSON, or with a file a form with `message` (that JSON with `media`) and
 * `file`.
 */
export async function requestOf(
  context: Context<Signed>,
): Promise<{ body: unknown; file: Uint8Array | null }> {
  if (!context.req.header('content-type')?.startsWith('multipart/form-data'))
    return { body: await jsonOf(context), file: null }
  const { message, bytes } = await formOf(context)
  return { body: message, file: bytes }
}

export const mediaOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'media' in body ? body.media : null

/** Sound goes as a document, because WhatsApp shows no text under sound. */
export async function attach(storage: MediaStore, { attachment, bytes }: Attached) {
  const { content } = attachment
  const kind = attachment.kind === 'audio' || attachment.kind === 'voice' ? 'document' : attachment.kind
  return { kind, content: { ...content, isVoice: false, mediaId: await storage.put(bytes) } }
}

type Reader = { contactId: number; name: string | null; hasMedia: boolean }

/** The final text of a lead; none for '{nome}' alone to somebody without a name. Raises `campaign.too-long`. */
export function textFor(message: string, { contactId, name, hasMedia }: Reader) {
  const text = fillName(message, name)
  if (text.trim() === '' && !hasMedia) return []
  requireLength(text, hasMedia)
  return [{ contactId, body: text }]
}

/** The start of a campaign. A time in the past becomes null, which means now. */
export const futureOf = (startsAt: string | null, nowMs: number): string | null =>
  startsAt !== null && Date.parse(startsAt) > nowMs ? startsAt : null
