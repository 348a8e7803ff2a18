// Detects a file's type by its first bytes, whatever its name, and how WhatsApp accepts it.
import type { AttachmentKind } from '#domain/message/media.ts'

/** `extension`: the gateway derives the type from it. */
export type FileKind = { mimeType: string; extension: string; sentAs: readonly AttachmentKind[] }

const IMAGE = ['image'] as const
const SOUND = ['audio', 'voice'] as const

const JPEG: FileKind = { mimeType: 'image/jpeg', extension: 'jpg', sentAs: IMAGE }
const PNG: FileKind = { mimeType: 'image/png', extension: 'png', sentAs: IMAGE }
const WEBP: FileKind = { mimeType: 'image/webp', extension: 'webp', sentAs: IMAGE }
const GIF: FileKind = { mimeType: 'image/gif', extension: 'gif', sentAs: IMAGE }
/** Also covers QuickTime: it has the same boxes and codecs, and every WhatsApp plays it under this type. */
const MP4: FileKind = { mimeType: 'video/mp4', extension: 'mp4', sentAs: ['video'] }
const THREEGP: FileKind = { mimeType: 'video/3gpp', extension: '3gp', sentAs: ['video'] }
const OGG: FileKind = { mimeType: 'audio/ogg', extension: 'ogg', sentAs: SOUND }
const MP3: FileKind = { mimeType: 'audio/mpeg', extension: 'mp3', sentAs: SOUND }
const M4A: FileKind = { mimeType: 'audio/mp4', extension: 'm4a', sentAs: SOUND }
const AAC: FileKind = { mimeType: 'audio/aac', extension: 'aac', sentAs: SOUND }
const AMR: FileKind = { mimeType: 'audio/amr', extension: 'amr', sentAs: SOUND }
/** The recording format of browsers; the gateway converts it only as a voice message. */
const WEBM: FileKind = { mimeType: 'audio/webm', extension: 'webm', sentAs: ['voice'] }
const WAV: FileKind = { mimeType: 'audio/wav', extension: 'wav', sentAs: ['voice'] }
const PDF: FileKind = { mimeType: 'application/pdf', extension: 'pdf', sentAs: ['document'] }
const DOC: FileKind = { mimeType: 'application/msword', extension: 'doc', sentAs: ['document'] }
const DOCX: FileKind = {
  mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  extension: 'docx',
  sentAs: ['document'],
}

/** First bytes as Latin-1, with a dot for each control character. */
const BEGINNINGS: readonly (readonly [pattern: RegExp, kind: FileKind])[] = [
  [/^\xff\xd8\xff/, JPEG],
  [/^\.PNG\.{4}/, PNG],
  [/^GIF8[79]a/, GIF],
  [/^RIFF[^]{4}WEBP/, WEBP],
  [/^RIFF[^]{4}WAVE/, WAV],
  [/^OggS/, OGG],
  [/^(ID3|\xff[\xfa\xfb\xf2\xf3\xe2\xe3])/, MP3],
  [/^\xff[\xf0\xf1\xf8\xf9]/, AAC],
  [/^#!AMR/, AMR],
  [/^\.E\xdf\xa3/, WEBM],
  [/^[^]{4}ftyp(M4A|M4B|F4A)/, M4A],
  [/^[^]{4}ftyp3g/, THREEGP],
  [/^[^]{4}ftyp(isom|iso\d|mp4\d|avc1|MSNV|M4V|dash|mmp4|qt )/, MP4],
  [/^%PDF-/, PDF],
]
const OLE = /^\xd0\xcf\.\xe0\xa1\xb1\.\xe1/
const ZIP = /^PK\.\./

/** Null: the type is not supported. `fileName` tells Word from other files in the same container. */
export function fileKindOf(bytes: Uint8Array, fileName: string, kind: AttachmentKind): FileKind | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = buffer.toString('latin1', 0, 64).replaceAll(/\p{Cc}/gu, '.')
  const found =
    BEGINNINGS.find(([pattern]) => pattern.test(start))?.[1] ?? wordOf(buffer, { start, fileName })
  if (!found) return null
  // A recorded mp4 looks like a video; the recording's kind decides.
  if ((found === MP4 || found === THREEGP) && (kind === 'voice' || kind === 'audio')) return M4A
  return found.sentAs.includes(kind) ? found : null
}

function wordOf(bytes: Buffer, { start, fileName }: { start: string; fileName: string }): FileKind | null {
  if (OLE.test(start)) return /\.doc$/i.test(fileName) ? DOC : null
  if (ZIP.test(start)) return bytes.includes('word/document') ? DOCX : null
  return null
}

/** Files that leads send, and that brokers forward. */
const FORWARDED = {
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/zip': 'zip',
  'text/plain': 'txt',
  'text/csv': 'csv',
}
const EXTENSIONS = new Map([
  ...Object.entries(FORWARDED),
  ...[...BEGINNINGS.map(([, kind]) => kind), DOC, DOCX].map(
    ({ mimeType, extension }) => [mimeType, extension] as const,
  ),
])

/** A forwarded file may come without a name or an extension. */
export function withExtension(fileName: string, mimeType: string): string {
  if (/\.[a-z0-9]{1,8}$/i.test(fileName)) return fileName
  const extension = EXTENSIONS.get(mimeType.split(';')[0]?.trim().toLowerCase() ?? '') ?? 'bin'
  return `${fileName || 'arquivo'}.${extension}`
}

const MAX_NAME = 100

/** A safe file name: no path, no invisible characters, the true extension, limited length. */
export function safeFileName(fileName: string, extension: string): string {
  const last = fileName.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const shown = last
    // Control and direction characters can disguise a name.
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}<>:"|?*]/gu, '')
    .replace(/\s+/gu, ' ')
  const stem = shown.replace(/\.[a-z0-9]{1,8}$/i, '').replace(/^[.\s]+|[.\s]+$/gu, '')
  return `${Array.from(stem).slice(0, MAX_NAME).join('').trim() || 'arquivo'}.${extension}`
}
