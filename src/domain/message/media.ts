// Files that go along with a message: as what a file is sent, how large it may be, how an image fits in its box.

export type AttachmentKind = 'image' | 'video' | 'audio' | 'voice' | 'document'

/** An image is sent no larger than this box, at this quality. */
export const IMAGE_BOX = 800
export const IMAGE_QUALITY = 0.9

const MEGABYTE = 1024 * 1024

/** What WhatsApp itself takes of videos and sound; documents and pictures as they come from the phone. */
export const MOST_BYTES = {
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

/** For a file picker: everything that attachmentKind knows. */
export const PICTURES_AND_VIDEOS = 'image/*,video/*'
export const DOCUMENTS_AND_SOUND = [
  ...Object.keys(DOCUMENTS).map((extension) => `.${extension}`),
  ...Object.values(DOCUMENTS),
  'audio/*',
].join()

type NamedFile = { name: string; type: string }

/** The type of a document by its ending: phones often give none. */
export function documentType({ name, type }: NamedFile): string | null {
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (Object.values(DOCUMENTS).includes(type)) return type
  return type === '' || type === 'application/octet-stream' ? (DOCUMENTS[extension] ?? null) : null
}

/** As what a file is sent; null: it is not. An SVG is a program, not a picture. */
export function attachmentKind(file: NamedFile): Exclude<AttachmentKind, 'voice'> | null {
  const [family] = file.type.split('/')
  if (family === 'image') return file.type === 'image/svg+xml' ? null : 'image'
  if (family === 'video' || family === 'audio') return family
  return documentType(file) === null ? null : 'document'
}

type Size = { width: number; height: number }

/** The largest size of the same shape that fits in a square box; never larger than it is. */
export function fitInBox({ width, height }: Size, box: number): Size {
  const scale = Math.min(1, box / width, box / height)
  const side = (length: number) => Math.max(1, Math.round(length * scale))
  return { width: side(width), height: side(height) }
}

/** Why a file is not taken: nothing of its type is, or it is too large, empty or broken. */
export const FILE_REFUSED = {
  type: 'Tipo de arquivo não suportado. Por favor, selecione uma imagem, PDF, documento, áudio ou vídeo.',
  file: 'Ocorreu um erro ao processar o arquivo. Por favor, tente novamente com um arquivo menor ou em formato diferente.',
} as const
