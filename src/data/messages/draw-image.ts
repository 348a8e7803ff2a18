// Draws a picture to fit a box, upright and on white. The result has no location data. Runs in a worker or on the page.
import { fitInBox, IMAGE_BOX, IMAGE_QUALITY } from '#domain/message/media.ts'

/** The gateway would convert every picture to this type. It has no transparency, so the ground is white. */
const TYPE = 'image/jpeg'
const GROUND = 'white'

type Canvas = OffscreenCanvas | HTMLCanvasElement

/** Rejects if this browser cannot decode the file as a picture. */
export async function drawImage(file: Blob, newCanvas: (width: number, height: number) => Canvas) {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
  try {
    const { width, height } = fitInBox(bitmap, IMAGE_BOX)
    const canvas = newCanvas(width, height)
    const brush = 'convertToBlob' in canvas ? canvas.getContext('2d') : canvas.getContext('2d')
    if (!brush) throw new Error('no canvas to draw on')
    brush.fillStyle = GROUND
    brush.fillRect(0, 0, width, height)
    brush.imageSmoothingQuality = 'high'
    brush.drawImage(bitmap, 0, 0, width, height)
    return { blob: await encode(canvas), width, height }
  } finally {
    bitmap.close()
  }
}

function encode(canvas: Canvas): Promise<Blob> {
  if ('convertToBlob' in canvas) return canvas.convertToBlob({ type: TYPE, quality: IMAGE_QUALITY })
  return new Promise((resolve, reject) => {
    const take = (blob: Blob | null) => (blob ? resolve(blob) : reject(new Error('the picture is empty')))
    canvas.toBlob(take, TYPE, IMAGE_QUALITY)
  })
}
