// Unpacks a WOFF font once, because fontkit would unpack the same table again for each glyph.
import { inflateSync } from 'node:zlib'

const HEADER_BYTES = 44
const ENTRY_BYTES = 20
const SFNT_HEADER_BYTES = 12
const SFNT_ENTRY_BYTES = 16

/** @param {Buffer} woff @returns {Buffer} the TrueType or OpenType font in it */
export function unpackWoff(woff) {
  const count = woff.readUInt16BE(12)
  const power = Math.floor(Math.log2(count))
  const head = Buffer.alloc(SFNT_HEADER_BYTES + count * SFNT_ENTRY_BYTES)
  woff.copy(head, 0, 4, 8)
  head.writeUInt16BE(count, 4)
  head.writeUInt16BE(2 ** power * SFNT_ENTRY_BYTES, 6)
  head.writeUInt16BE(power, 8)
  head.writeUInt16BE((count - 2 ** power) * SFNT_ENTRY_BYTES, 10)
  /** @type {Buffer[]} */
  const parts = [head]
  let at = head.length
  for (let nth = 0; nth < count; nth++) {
    const entry = HEADER_BYTES + nth * ENTRY_BYTES
    const [offset, packedBytes, sizeBytes] = [4, 8, 12].map((field) => woff.readUInt32BE(entry + field))
    const packed = woff.subarray(offset, (offset ?? 0) + (packedBytes ?? 0))
    const table = packedBytes === sizeBytes ? packed : inflateSync(packed)
    const place = SFNT_HEADER_BYTES + nth * SFNT_ENTRY_BYTES
    woff.copy(head, place, entry, entry + 4)
    woff.copy(head, place + 4, entry + 16, entry + 20)
    head.writeUInt32BE(at, place + 8)
    head.writeUInt32BE(table.length, place + 12)
    // Tables begin at multiples of four.
    const padding = Buffer.alloc(-table.length & 3)
    parts.push(table, padding)
    at += table.length + padding.length
  }
  return Buffer.concat(parts)
}
