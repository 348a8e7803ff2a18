// Reads a zip file by its central directory, and checks every checksum and size against the bytes.
import { crc32 } from 'node:zlib'

export function unzip(zip: Buffer): Map<string, Buffer> {
  const end = zip.length - 22
  if (zip.readUInt32LE(end) !== 0x06054b50) throw new Error('no end of a zip')
  const files = new Map<string, Buffer>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== 0x02014b50) throw new Error('no entry of a zip')
    const length = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + length)
    const local = zip.readUInt32LE(at + 42)
    if (zip.readUInt32LE(local) !== 0x04034b50) throw new Error(`${name} does not begin`)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const bytes = zip.subarray(start, start + zip.readUInt32LE(at + 24))
    if (crc32(bytes) !== zip.readUInt32LE(at + 16)) throw new Error(`${name} is damaged`)
    files.set(name, bytes)
    at += 46 + length
  }
  if (at !== end) throw new Error('the list of a zip does not end')
  return files
}
