// Files of developments as they are stored: pictures upright and in three sizes, documents checked.
import { PortalError } from '#domain/errors.ts'
import type { MediaStore } from '#server/storage/media-store.ts'

const MEGABYTE = 1024 * 1024
export const MAX_PICTURE_BYTES = 8 * MEGABYTE
export const MAX_DOCUMENT_BYTES = 16 * MEGABYTE
/** Pixels of the size for whole screens. */
const WHOLE = 1_920
/** Pixels of the size that is sent and shown in pages. */
const LARGE = 1_080
const SMALL = 320
const TINY = 32
const TINY_QUALITY = 50
/** A larger picture would need more memory than its sizes are worth. */
const MAX_PIXELS = 50_000_000
const FORMATS = ['jpeg', 'png', 'webp']
const QUALITY = 82

/**
 * `whole` is null if the large size is as large. `width` and `height` are those of the large size. `preview` is a tiny
 * JPEG in base64, which messages carry.
 */
type Picture = {
  whole: Uint8Array | null
  large: Uint8Array
  small: Uint8Array
  preview: string
  width: number
  height: number
}

export type MakePicture = (bytes: Uint8Array) => Promise<Picture>

const refused = (words: string, cause?: unknown) =>
  new PortalError('development.file', words, { status: 422, cause })

/**
 * Makes JPEGs at most 1,920, 1,080 and 320 pixels wide or high, without EXIF data such as the place. Handles one
 * picture at a time. Raises `development.file` for anything but a whole JPEG, PNG or WebP.
 */
export function createPictures(): MakePicture {
  let last: Promise<unknown> = Promise.resolve()
  return (bytes) => {
    if (bytes.length > MAX_PICTURE_BYTES) throw refused('Esta foto passa de 8 MB.')
    const made = last.then(() => toPicture(bytes))
    last = made.catch(() => undefined)
    return made
  }
}

async function toPicture(bytes: Uint8Array): Promise<Picture> {
  // sharp is loaded with the first picture, because most processes never get one.
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  const open = (input: Uint8Array) => sharp(input, { limitInputPixels: MAX_PIXELS })
  const fit = (side: number) =>
    ({ width: side, height: side, fit: 'inside', withoutEnlargement: true }) as const
  try {
    const { format } = await open(bytes).metadata()
    if (!FORMATS.includes(format)) throw refused('Escolha fotos em JPG, PNG ou WebP.')
    const upright = (side: number) =>
      open(bytes)
        .autoOrient()
        .resize(fit(side))
        // A transparent ground would become black.
        .flatten({ background: '#fff' })
        .jpeg({ quality: QUALITY, progressive: true })
        .toBuffer({ resolveWithObject: true })
    const { data: large, info } = await upright(LARGE)
    const small = await open(large).resize(fit(SMALL)).jpeg({ quality: QUALITY }).toBuffer()
    const tiny = await open(small).resize(fit(TINY)).jpeg({ quality: TINY_QUALITY }).toBuffer()
    const { width, height } = info
    const whole = Math.max(width, height) < LARGE ? null : await upright(WHOLE)
    const isLarger = whole !== null && whole.info.width > width
    const preview = tiny.toString('base64')
    return { whole: isLarger ? whole.data : null, large, small, preview, width, height }
  } catch (error) {
    if (error instanceof PortalError) throw error
    throw refused('Esta foto não pôde ser lida. Escolha outra, em JPG, PNG ou WebP.', error)
  }
}

/** Puts all sizes into the media store; `sizeBytes` is their sum. */
export async function storePicture(
  storage: Pick<MediaStore, 'put'>,
  { whole, large, small, preview, width, height }: Picture,
) {
  const wholeId = whole && (await storage.put(whole))
  const [mediaId, thumbId] = [await storage.put(large), await storage.put(small)]
  const sizeBytes = large.length + small.length + (whole?.length ?? 0)
  return { mediaId, thumbId, wholeId, preview, width, height, sizeBytes }
}

/** Programs write up to this much before the header. */
const PDF_HEADER_WITHIN = 1_024

/** Raises `development.file` for a file that no PDF reader would open. A PDF with a password passes. */
export function requirePdf(bytes: Uint8Array): void {
  if (bytes.length > MAX_DOCUMENT_BYTES) throw refused('Este arquivo passa de 16 MB.')
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const begins = text.slice(0, PDF_HEADER_WITHIN).includes('%PDF-')
  // The catalogue of a PDF, and the trailer that names it, are never compressed.
  const isBuilt = /\d\s+\d+\s+obj\b/.test(text) && /\/(Root|Catalog)\b/.test(text)
  if (!begins || !isBuilt) throw refused('Este arquivo não é um PDF que abra. Escolha outro.')
}
