// A QR code as one outline, drawn on the page, kept as a file, or printed.
import { encodeQR } from 'qr'

/** Modules of silence around it: a camera needs them. */
const QUIET = 4

export type Qr = { size: number; path: string }

/** Even where a fold or a thumb hides a quarter of it, it is read: it is printed and hung up. */
export function qrOf(text: string): Qr {
  const rows = encodeQR(text, 'raw', { ecc: 'quartile', border: QUIET })
  const path = rows
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return { size: rows.length, path }
}

/** Black on white, whatever the theme. */
export const svgOf = ({ size, path }: Qr): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
  `<rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>\n`
