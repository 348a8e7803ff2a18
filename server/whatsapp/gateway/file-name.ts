// Names of files for WhatsApp: each with an extension.
import type { OutgoingMedia } from '#server/gateway.ts'

const EXTENSIONS: Record<string, string> = {
  'application/pdf': 'pdf',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/zip': 'zip',
  'text/plain': 'txt',
  'text/csv': 'csv',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'video/mp4': 'mp4',
  'video/3gpp': '3gp',
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
}

/** Evolution derives a file's type only from its extension, and a phone opens a document by it. */
export function fileNameWithExtension({
  fileName,
  mimeType,
}: Pick<OutgoingMedia, 'fileName' | 'mimeType'>): string {
  if (/\.[a-z0-9]{1,8}$/i.test(fileName)) return fileName
  const extension = EXTENSIONS[mimeType.split(';')[0]?.trim().toLowerCase() ?? ''] ?? 'bin'
  return `${fileName || 'arquivo'}.${extension}`
}
