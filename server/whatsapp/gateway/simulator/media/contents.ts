// The bodies of messages, kind by kind, as WhatsApp and the gateway build them.
import { createHash } from 'node:crypto'
import type { Json, SimulatedState } from '../state.ts'

/** A message's content before it is sent. */
export type Body = { messageType: string; content: Json; base64: string | null; contextInfo: Json | null }

export type File = {
  kind: 'image' | 'video' | 'audio' | 'document' | 'sticker'
  base64: string
  mimeType: string
  fileName?: string
  caption?: string
  seconds?: number
  isVoice?: boolean
}

const long = (low: number, unsigned: boolean) => ({ low, high: 0, unsigned })

export const textBody = (text: string, contextInfo: Json | null = null): Body => ({
  messageType: 'conversation',
  content: { conversation: text },
  base64: null,
  contextInfo,
})

/** A message whose content is one object under the name of its type. */
export const plainBody = (messageType: string, content: Json): Body => ({
  messageType,
  content: { [messageType]: content },
  base64: null,
  contextInfo: null,
})

/** Disappearing and view-once messages stay wrapped. */
export const wrapped = (messageType: string, { content, base64 }: Body): Body => ({
  messageType,
  content: { [messageType]: { message: content } },
  base64,
  contextInfo: null,
})

export function fileBody(simulated: SimulatedState, file: File, contextInfo: Json | null = null): Body {
  const bytes = Buffer.from(file.base64, 'base64')
  const path = `/v/t62.7118-24/${simulated.ids.file()}.enc`
  const common = {
    url: `https://mmg.whatsapp.net${path}`,
    mimetype: file.mimeType,
    ...(file.caption ? { caption: file.caption } : {}),
    fileSha256: Uint8Array.from(createHash('sha256').update(bytes).digest()),
    fileLength: long(bytes.length, true),
    ...(file.kind === 'audio' ? { seconds: file.seconds ?? 3, ptt: file.isVoice ?? true } : {}),
    ...(file.kind === 'image' || file.kind === 'video' ? { height: 200, width: 320 } : {}),
    ...(file.kind === 'video' ? { seconds: file.seconds ?? 3 } : {}),
    mediaKey: simulated.ids.bytes(32),
    ...(file.kind === 'document' ? { fileName: file.fileName } : {}),
    fileEncSha256: simulated.ids.bytes(32),
    directPath: path,
    mediaKeyTimestamp: long(Math.floor(simulated.clock.now() / 1000), false),
    ...(contextInfo === null ? {} : { contextInfo }),
  }
  const lists = { interactiveAnnotations: [], scanLengths: [], annotations: [] }
  const messageType = `${file.kind}Message`
  const content = { [messageType]: file.kind === 'image' ? { ...lists, ...common } : common }
  return { messageType, content, base64: file.base64, contextInfo }
}

/** Context of the gateway's own messages. */
export const ownContext = (simulated: SimulatedState): Json => ({
  mentionedJid: [],
  groupMentions: [],
  ephemeralSettingTimestamp: long(Math.floor(simulated.clock.now() / 1000) - 172_800, false),
  disappearingMode: { initiator: 0 },
})

export const quoteContext = (quoted: { id: string; text: string; author: string }): Json => ({
  mentionedJid: [],
  groupMentions: [],
  statusAttributions: [],
  stanzaId: quoted.id,
  participant: quoted.author,
  quotedMessage: { conversation: quoted.text },
})

/** Bytes are indexed objects in webhooks, base64 in the store. */
export function withBytes(value: unknown, write: (bytes: Uint8Array) => unknown): unknown {
  if (value instanceof Uint8Array) return write(value)
  if (Array.isArray(value)) return value.map((item) => withBytes(item, write))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withBytes(item, write)]))
}
export const asIndices = (bytes: Uint8Array) => Object.fromEntries(bytes.entries())
export const asBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
