// Routes of messages: send, search, fetch media, check numbers.
import type { Context, Hono } from 'hono'
import { fileBody, ownContext, quoteContext, textBody, type Body, type File } from '../media/contents.ts'
import { findById, search } from '../mailbox.ts'
import { send, showTyping } from '../sending.ts'
import { bodyOf, type Wire } from './handler.ts'
import { checkBody, isJson, WireError, type Rule } from './errors.ts'
import type { Instance, Json, SimulatedState } from '../state.ts'

const COMMON: Rule[] = [
  { field: 'number', type: 'string', isRequired: true, says: 'Invalid format' },
  { field: 'delay', type: 'integer', says: 'Enter a value in milliseconds' },
]
const PRESENCES = ['unavailable', 'available', 'composing', 'recording', 'paused'] as const
const MEDIA_TYPES = ['image', 'document', 'video', 'audio', 'ptv'] as const

export function messageRoutes(app: Hono, { simulated, instanceOf }: Wire) {
  app.post('/message/sendText/:name', async (context) => {
    const { instance, body } = await sendRequest(context, instanceOf, [
      { field: 'text', type: 'string', isRequired: true },
    ])
    const text = String(body['text'])
    if (text.trim() === '') throw new WireError(400, ['Text is required'])
    return answer(context, simulated, {
      instance,
      body,
      make: () => textBody(text, contextOf(simulated, instance, body)),
    })
  })
  app.post('/message/sendMedia/:name', async (context) => {
    const { instance, body } = await sendRequest(context, instanceOf, [
      { field: 'mediatype', type: 'string', isRequired: true, oneOf: MEDIA_TYPES },
      { field: 'media', type: 'string', isRequired: true },
    ])
    const file = mediaOf(body)
    return answer(context, simulated, {
      instance,
      body,
      make: () => fileBody(simulated, file, contextOf(simulated, instance, body)),
    })
  })
  app.post('/message/sendWhatsAppAudio/:name', async (context) => {
    const { instance, body } = await sendRequest(context, instanceOf, [
      { field: 'audio', type: 'string', isRequired: true },
    ])
    const base64 = owned(
      String(body['audio']),
      'Owned media must be a url, base64, or valid file with buffer',
    )
    const file: File = { kind: 'audio', base64, mimeType: 'audio/ogg; codecs=opus', isVoice: true }
    return answer(context, simulated, {
      instance,
      body,
      make: () => fileBody(simulated, file, contextOf(simulated, instance, body)),
    })
  })
  app.post('/chat/findMessages/:name', async (context) => {
    const instance = instanceOf(context)
    return context.json({ messages: search(simulated, instance, searchOf(await bodyOf(context))) })
  })
  app.post('/chat/getBase64FromMediaMessage/:name', async (context) => {
    const instance = instanceOf(context)
    return context.json(mediaAnswer(instance, await bodyOf(context)), 201)
  })
  // Shows 'digitando…' for the given time, then answers.
  app.post('/chat/sendPresence/:name', async (context) => {
    const { instance, body } = await sendRequest(context, instanceOf, [
      { field: 'presence', type: 'string', isRequired: true, oneOf: PRESENCES },
    ])
    const { presence, delay } = body
    await showTyping(simulated, instance, { number: String(body['number']), delayMs: Number(delay ?? 0) })
    return context.json({ presence }, 201)
  })
  app.post('/chat/whatsappNumbers/:name', async (context) => {
    instanceOf(context)
    const { numbers } = await bodyOf(context)
    if (!Array.isArray(numbers)) throw new WireError(400, [['instance requires property "numbers"']])
    return context.json(numbers.map((number) => simulated.numbers.resolve(String(number))))
  })
}

/** Has the quoted message if the store has it; otherwise the message is sent without a quote. */
function contextOf(simulated: SimulatedState, instance: Instance, body: Json): Json {
  const { quoted } = body
  const key = isJson(quoted) && isJson(quoted['key']) ? quoted['key'] : {}
  const answered = typeof key['id'] === 'string' ? findById(instance, key['id']) : undefined
  if (answered === undefined) return ownContext(simulated)
  const { remoteJid, fromMe, id } = answered.key
  const text = answered.content?.['conversation']
  return {
    ...ownContext(simulated),
    ...quoteContext({
      id,
      text: typeof text === 'string' ? text : '',
      author: fromMe ? (instance.owner?.jid ?? '') : remoteJid,
    }),
  }
}

export async function sendRequest(context: Context, instanceOf: Wire['instanceOf'], rules: Rule[]) {
  const instance = instanceOf(context)
  const body = await bodyOf(context)
  checkBody(body, [...COMMON, ...rules])
  return { instance, body }
}

export async function answer(
  context: Context,
  simulated: SimulatedState,
  { instance, body, make }: { instance: Instance; body: Json; make: () => Body },
) {
  const delayMs = typeof body['delay'] === 'number' ? body['delay'] : 0
  return context.json(
    await send(simulated, instance, { number: String(body['number']), delayMs, body: make }),
    201,
  )
}

const MIME_TYPES: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  mp4: 'video/mp4',
  '3gp': 'video/3gpp',
  ogg: 'audio/ogg',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
  txt: 'text/plain',
  csv: 'text/csv',
  bin: 'application/octet-stream',
}
const DEFAULT_NAMES: Record<string, string> = { image: 'image.png', video: 'video.mp4', audio: 'audio.mp3' }

function mediaOf(body: Json): File {
  const kind = KINDS[String(body['mediatype'])] ?? 'document'
  const base64 = owned(String(body['media']), 'Owned media must be a url or base64')
  const given = typeof body['fileName'] === 'string' && body['fileName'] !== '' ? body['fileName'] : undefined
  if (kind === 'document' && given === undefined)
    throw new WireError(400, ['For base64 the file name must be informed.'])
  if (kind === 'image' && !IMAGE_STARTS.test(base64))
    throw new WireError(500, 'Input buffer contains unsupported image format')
  const fileName = given ?? DEFAULT_NAMES[kind] ?? ''
  const extension = /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ''
  const caption = typeof body['caption'] === 'string' ? body['caption'] : undefined
  return {
    kind,
    base64,
    fileName,
    // The type comes from the extension alone; `mimetype` is ignored.
    mimeType: MIME_TYPES[extension] ?? 'false',
    isVoice: false,
    ...(caption === undefined ? {} : { caption }),
  }
}

const KINDS: Record<string, File['kind']> = { image: 'image', video: 'video', ptv: 'video', audio: 'audio' }
/** PNG, JPEG, GIF and WebP in base64. */
const IMAGE_STARTS = /^(iVBORw0KGgo|\/9j\/|R0lGOD|UklGR)/

/** Returns media that are given as base64. A URL fails as if its host were unknown: the simulator has no network. */
function owned(media: string, refusal: string): string {
  if (/^https?:\/\//.test(media)) throw new WireError(500, `getaddrinfo ENOTFOUND ${new URL(media).hostname}`)
  const isBase64 = media.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(media)
  if (!isBase64) throw new WireError(400, [refusal])
  return media
}

function searchOf(body: Json) {
  const { where, page, offset } = body
  if (typeof page === 'string' || typeof offset === 'string')
    throw new WireError(500, 'Argument `take`: Invalid value provided. Expected Int, provided String.')
  const { key, messageTimestamp } = isJson(where) ? where : {}
  return {
    where: {
      ...(isJson(key) ? { key } : {}),
      ...(isJson(messageTimestamp) ? { messageTimestamp } : {}),
    },
    ...(typeof page === 'number' && page > 0 ? { page } : {}),
    ...(typeof offset === 'number' && offset > 0 ? { offset } : {}),
  }
}

function mediaAnswer(instance: Instance, body: Json) {
  const { message: asked } = body
  const key = isJson(asked) && isJson(asked['key']) ? asked['key'] : {}
  const message = typeof key['id'] === 'string' ? findById(instance, key['id']) : undefined
  if (message === undefined) throw new WireError(400, ['Message not found'])
  const given = isJson(asked) && isJson(asked['message']) ? asked['message'] : message.content
  const file = fileIn(given)
  if (file === null || message.base64 === null)
    throw new WireError(400, ['The message is not of the media type'])
  return {
    mediaType: file.messageType,
    fileName: file.content['fileName'] ?? message.key.id,
    caption: file.content['caption'],
    size: {
      fileLength: file.content['fileLength'],
      height: file.content['height'],
      width: file.content['width'],
    },
    mimetype: file.content['mimetype'],
    base64: message.base64,
    buffer: null,
  }
}

/** The only wrappers that the gateway opens. */
const OPENED = ['ephemeralMessage', 'documentWithCaptionMessage', 'viewOnceMessage', 'viewOnceMessageV2']

function fileIn(content: Json | null): { messageType: string; content: Json } | null {
  let opened = content ?? {}
  for (const wrapper of OPENED) {
    const outer = opened[wrapper]
    if (isJson(outer) && isJson(outer['message'])) opened = outer['message']
  }
  for (const [messageType, inner] of Object.entries(opened))
    if (isJson(inner) && typeof inner['mimetype'] === 'string') return { messageType, content: inner }
  return null
}
