// The QR as a 300 x 300 picture that a phone can read.
import { encodeQR } from 'qr'
import { greyPng } from './png.ts'

const SIZE_PX = 300
/** Width of the white margin in modules. Readers miss a code with a smaller one. */
const QUIET = 4

export function qrDataUrl(text: string): string {
  const modules = encodeQR(text, 'raw', { ecc: 'low', border: QUIET })
  const scale = Math.floor(SIZE_PX / modules.length)
  const margin = Math.floor((SIZE_PX - modules.length * scale) / 2)
  const at = (pixel: number) => Math.floor((pixel - margin) / scale)
  const png = greyPng(SIZE_PX, SIZE_PX, (x, y) => (modules[at(y)]?.[at(x)] === true ? 0 : 255))
  return `data:image/png;base64,${png.toString('base64')}`
}
