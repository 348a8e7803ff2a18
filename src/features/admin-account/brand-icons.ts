// Renders the app's icons from a logo in this browser, because the server stores only pixels, never SVG.

const KINDS = {
  '192': { side: 192, share: 1, isFilled: false },
  '512': { side: 512, share: 1, isFilled: false },
  // Launchers may crop this icon to a circle of 80 % of its side, so the logo fills less;
  // https://www.w3.org/TR/appmanifest/#icon-masks
  'maskable-512': { side: 512, share: 0.56, isFilled: true },
  // iOS shows transparent areas as black, so the background is filled.
  'apple-touch-icon': { side: 180, share: 0.8, isFilled: true },
} as const

/** PNG as base64, by file name. */
export type Icons = Record<keyof typeof KINDS, string>

/** Draws the icons from a file. Returns null if the file is no picture. */
export async function drawIcons(file: File): Promise<Icons | null> {
  const address = URL.createObjectURL(file)
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const draw = (kind: keyof typeof KINDS) => drawIcon(image, KINDS[kind])
    return {
      '192': draw('192'),
      '512': draw('512'),
      'maskable-512': draw('maskable-512'),
      'apple-touch-icon': draw('apple-touch-icon'),
    }
  } catch {
    return null
  } finally {
    URL.revokeObjectURL(address)
  }
}

type Kind = (typeof KINDS)[keyof typeof KINDS]

function drawIcon(image: HTMLImageElement, { side, share, isFilled }: Kind): string {
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const pencil = canvas.getContext('2d')
  if (!pencil) throw new Error('no canvas')
  if (isFilled) {
    pencil.fillStyle = 'white'
    pencil.fillRect(0, 0, side, side)
  }
  // SVG files may lack a size; such a logo is drawn as a square.
  const [ownWidth, ownHeight] = [image.naturalWidth || side, image.naturalHeight || side]
  const scale = (side * share) / Math.max(ownWidth, ownHeight)
  const [width, height] = [ownWidth * scale, ownHeight * scale]
  pencil.imageSmoothingQuality = 'high'
  pencil.drawImage(image, (side - width) / 2, (side - height) / 2, width, height)
  return canvas.toDataURL('image/png').replace('data:image/png;base64,', '')
}
