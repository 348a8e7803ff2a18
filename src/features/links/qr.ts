// Computes a QR code as one SVG path, to show, download or print.
import { encodeQR } from 'qr'

/** The width of the white margin that scanners need, counted in squares of the code. */
const QUIET = 4

export type Qr = { size: number; path: string }

/** The code stays readable if a quarter of it is damaged, because printed codes get folded or covered. */
export function qrOf(text: string): Qr {
  const rows = encodeQR(text, 'raw', { ecc: 'quartile', border: QUIET })
  const path = rows
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return { size: rows.length, path }
}

/** The code is black on white in every theme. */
export const svgOf = ({ size, path }: Qr): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
  `<rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>\n`
