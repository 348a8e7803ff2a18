// Small real files for messages without one: a picture, a document, a silent voice note.
import { greyPng } from './png.ts'

export type StockFile = { base64: string; mimeType: string; fileName: string }

const stock = (bytes: Buffer, mimeType: string, fileName: string): StockFile => ({
  base64: bytes.toString('base64'),
  mimeType,
  fileName,
})

/** A house under a sky. */
export function picture(): StockFile {
  const png = greyPng(320, 200, (x, y) => {
    const isRoof = y > 60 && y < 110 && Math.abs(x - 160) < (y - 60) * 1.6
    const isWall = y >= 110 && y < 170 && Math.abs(x - 160) < 65
    const isDoor = isWall && y > 130 && Math.abs(x - 160) < 12
    if (isDoor || isRoof) return 90
    if (isWall) return 200
    return y < 170 ? 235 - Math.floor(y / 8) : 140
  })
  return stock(png, 'image/png', 'foto.png')
}

/** One page that says `Proposta`. */
export function document(): StockFile {
  const drawing = 'BT /F1 24 Tf 72 720 Td (Proposta) Tj ET'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
  return stock(Buffer.from(body + table + trailer, 'latin1'), 'application/pdf', 'proposta.pdf')
}

const PACKETS_A_SECOND = 50
const SAMPLES_A_PACKET = 960
/** Twenty milliseconds of silence in Opus. */
const SILENT_PACKET = Buffer.from([0xf8, 0xff, 0xfe])

/** Up to five seconds: one page of Ogg holds no more such packets. */
export function voice(seconds: number): StockFile {
  const count = Math.min(seconds, 5) * PACKETS_A_SECOND
  const pages = [
    oggPage({ index: 0, flags: 2, granule: 0, packets: [opusHead()] }),
    oggPage({ index: 1, flags: 0, granule: 0, packets: [opusTags()] }),
    oggPage({
      index: 2,
      flags: 4,
      granule: count * SAMPLES_A_PACKET,
      packets: Array.from({ length: count }, () => SILENT_PACKET),
    }),
  ]
  return stock(Buffer.concat(pages), 'audio/ogg; codecs=opus', 'audio.ogg')
}

const opusHead = () =>
  Buffer.concat([Buffer.from('OpusHead'), Buffer.from([1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0])])
const opusTags = () =>
  Buffer.concat([Buffer.from('OpusTags'), Buffer.from([6, 0, 0, 0]), Buffer.from('portal'), Buffer.alloc(4)])

function oggPage(page: { index: number; flags: number; granule: number; packets: Buffer[] }): Buffer {
  const header = Buffer.alloc(27)
  header.write('OggS')
  header[5] = page.flags
  header.writeBigUInt64LE(BigInt(page.granule), 6)
  header.writeUInt32LE(1, 14)
  header.writeUInt32LE(page.index, 18)
  header[26] = page.packets.length
  const whole = Buffer.concat([
    header,
    Buffer.from(page.packets.map((packet) => packet.length)),
    ...page.packets,
  ])
  whole.writeUInt32LE(oggChecksum(whole), 22)
  return whole
}

/** CRC-32 of Ogg: not reflected, starting at 0. */
function oggChecksum(bytes: Buffer): number {
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte << 24
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1
  }
  return sum >>> 0
}
