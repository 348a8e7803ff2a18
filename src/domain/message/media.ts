// Files in messages: their kinds, maximum sizes, and how images are scaled down.

export type AttachmentKind = 'image' | 'video' | 'audio' | 'voice' | 'document'

/** Images are scaled down to fit a square of this many px. */
export const IMAGE_BOX = 800
export const IMAGE_QUALITY = 0.9

const MEGABYTE = 1024 * 1024

/**
 * WhatsApp limits videos and sound to these sizes. Larger files are refused. Pictures and documents are sent as the
 * phone made them.
 */
export const MAX_BYTES = {
  image: 30 * MEGABYTE,
  video: 16 * MEGABYTE,
  audio: 16 * MEGABYTE,
  voice: 16 * MEGABYTE,
  document: 25 * MEGABYTE,
} satisfies Record<AttachmentKind, number>

const DOCUMENTS: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
}

/** What a file picker offers; attachmentKind accepts all of it. */
export const PICTURES_AND_VIDEOS = 'image/*,video/*'
export const DOCUMENTS_AND_SOUND = [
  ...Object.keys(DOCUMENTS).map((extension) => `.${extension}`),
  ...Object.values(DOCUMENTS),
  'audio/*',
].join()

type NamedFile = { name: string; type: string }

/**
 * Returns a document's type by its file extension, because phones often report none. Returns null for files that the
 * portal does not send.
 */
export function documentType({ name, type }: NamedFile): string | null {
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (Object.values(DOCUMENTS).includes(type)) return type
  return type === '' || type === 'application/octet-stream' ? (DOCUMENTS[extension] ?? null) : null
}

/**
 * Returns the kind under which a file is sent; null if the portal refuses the file. An SVG may contain scripts, so it
 * does not count as a picture.
 */
export function attachmentKind(file: NamedFile): Exclude<AttachmentKind, 'voice'> | null {
  const [family] = file.type.split('/')
  if (family === 'image') return file.type === 'image/svg+xml' ? null : 'image'
  if (family === 'video' || family === 'audio') return family
  return documentType(file) === null ? null : 'document'
}

type Size = { width: number; height: number }

/** Returns the largest size with the same proportions that fits a square box. It never exceeds the original. */
export function fitInBox({ width, height }: Size, box: number): Size {
  const scale = Math.min(1, box / width, box / height)
  const side = (length: number) => Math.max(1, Math.round(length * scale))
  return { width: side(width), height: side(height) }
}

/** Why a file is refused: unknown type, too large, empty or damaged. */
export const FILE_REFUSED = {
  type: 'Tipo de arquivo não suportado. Por favor, selecione uma imagem, PDF, documento, áudio ou vídeo.',
  file: 'Ocorreu um erro ao processar o arquivo. Por favor, tente novamente com um arquivo menor ou em formato diferente.',
} as const
