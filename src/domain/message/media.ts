// Files in messages: their kind, maximum size, and scaling of images.

export type AttachmentKind = 'image' | 'video' | 'audio' | 'voice' | 'document'

/** Images are scaled down to this box, at this quality. */
export const IMAGE_BOX = 800
export const IMAGE_QUALITY = 0.9

const MEGABYTE = 1024 * 1024

/** WhatsApp's limits for videos and sound; documents and pictures are sent as the phone made them. */
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

/** For a file picker: everything that attachmentKind accepts. */
export const PICTURES_AND_VIDEOS = 'image/*,video/*'
export const DOCUMENTS_AND_SOUND = [
  ...Object.keys(DOCUMENTS).map((extension) => `.${extension}`),
  ...Object.values(DOCUMENTS),
  'audio/*',
].join()

type NamedFile = { name: string; type: string }

/** Type of a document by its file extension, because phones often report none. */
export function documentType({ name, type }: NamedFile): string | null {
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (Object.values(DOCUMENTS).includes(type)) return type
  return type === '' || type === 'application/octet-stream' ? (DOCUMENTS[extension] ?? null) : null
}

/**
 * The kind under which a file is sent; null: it is refused. An SVG may contain scripts, so it is no picture.
 */
export function attachmentKind(file: NamedFile): Exclude<AttachmentKind, 'voice'> | null {
  const [family] = file.type.split('/')
  if (family === 'image') return file.type === 'image/svg+xml' ? null : 'image'
  if (family === 'video' || family === 'audio') return family
  return documentType(file) === null ? null : 'document'
}

type Size = { width: number; height: number }

/** Largest size of the same proportions within a square box; never larger than the original. */
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
