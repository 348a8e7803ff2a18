// Removes media bytes from a delivery before it is stored: the store keeps them once, the body a reference.
import { keepMedia, type MediaStore } from '#server/storage/media-store.ts'
import { child, fieldsOf, type Fields } from './field.ts'

const REFERENCE = 'stored:'
const MAX_DEPTH = 12

/**
 * The store's id in place of base64. Base64 contains no colon, and detachMedia replaces whatever was sent.
 */
export function storedMediaId(value: unknown): string | null {
  return typeof value === 'string' && value.startsWith(REFERENCE) ? value.slice(REFERENCE.length) : null
}

/** 'held:0' refers to the first file that was decoded while the delivery was received. */
const HELD = /^held:(\d+)$/

/** Stores the bytes of every message durably and replaces them by a reference; changes `body` itself. */
export async function detachMedia(
  body: unknown,
  files: readonly (Uint8Array | null)[],
  store: MediaStore,
): Promise<void> {
  const data = fieldsOf(body)?.['data']
  for (const message of messagesOf(data)) {
    const base64 = message['base64']
    if (base64 === undefined) continue
    const bytes = typeof base64 === 'string' ? bytesOf(base64, files) : null
    if (bytes && bytes.length > 0) message['base64'] = REFERENCE + (await keepMedia(store, bytes))
    else delete message['base64']
  }
}

function bytesOf(base64: string, files: readonly (Uint8Array | null)[]): Uint8Array | null {
  const held = HELD.exec(base64)
  return held ? (files[Number(held[1])] ?? null) : Buffer.from(base64, 'base64')
}

/** The message objects of a delivery, including wrapped ones: base64 may be beside any of them. */
function messagesOf(data: unknown): Fields[] {
  const listed = fieldsOf(data)?.['messages'] ?? data
  const items = Array.isArray(listed) ? listed : [listed]
  return items.flatMap((item: unknown) => {
    const message = fieldsOf(fieldsOf(item)?.['message'])
    return message ? withInner(message, 0) : []
  })
}

function withInner(message: Fields, depth: number): Fields[] {
  if (depth >= MAX_DEPTH) return [message]
  const inner = Object.keys(message).flatMap((key) => {
    const next = fieldsOf(child(message, key)['message'])
    return next ? withInner(next, depth + 1) : []
  })
  return [message, ...inner]
}
