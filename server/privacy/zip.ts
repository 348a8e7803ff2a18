// Streams a zip file. Its files are not compressed, and the size and checksum follow each file (APPNOTE 4.3).
import { crc32 } from 'node:zlib'

export type ZipEntry = { name: string; bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array> }

/** Bit 3: checksums and sizes follow the bytes. Bit 11: names are UTF-8. */
const FLAGS = 0x0808
const VERSION = 20
/** 1980-01-01, the earliest date that a zip can have. The real dates are inside the files. */
const DATE = 0x0021
/** Larger files would need ZIP64. */
const MAX_BYTES = 0xffff_ffff
const MAX_FILES = 0xffff

/** Only the list of entries stays in memory. The stream fails beyond 4 GB or 65,535 files. */
export function zipOf(entries: AsyncIterable<ZipEntry>): ReadableStream<Uint8Array> {
  const pieces = piecesOf(entries)
  return new ReadableStream({
    pull: async (controller) => {
      const { value, done } = await pieces.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await pieces.return()),
  })
}

async function* piecesOf(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array, void> {
  const listed: Buffer[] = []
  let at = 0
  for await (const { name, bytes } of entries) {
    const written = Buffer.from(name)
    const start = at
    const local = record(0x04034b50, [16, VERSION], ...about({ sum: 0, size: 0, name: written }), [16, 0])
    yield Buffer.concat([local, written])
    let sum = 0
    let size = 0
    for await (const piece of bytes) {
      sum = crc32(piece, sum)
      size += piece.length
      yield piece
    }
    yield record(0x08074b50, [32, sum], [32, size], [32, size])
    at += local.length + written.length + size + 16
    if (at > MAX_BYTES || listed.length === MAX_FILES) throw new Error('a zip cannot hold so much')
    const entry = about({ sum, size, name: written })
    // No comment, first disk, no attributes.
    const rest = [
      [16, 0],
      [16, 0],
      [16, 0],
      [16, 0],
      [32, 0],
      [32, start],
    ] as const
    listed.push(Buffer.concat([record(0x02014b50, [16, VERSION], [16, VERSION], ...entry, ...rest), written]))
  }
  const list = Buffer.concat(listed)
  yield list
  const { length } = listed
  yield record(0x06054b50, [16, 0], [16, 0], [16, length], [16, length], [32, list.length], [32, at], [16, 0])
}

type Field = readonly [bits: 16 | 32, value: number]

/** Fields that the local header and the central directory share. */
const about = ({ sum, size, name }: { sum: number; size: number; name: Buffer }): Field[] => [
  [16, FLAGS],
  [16, 0],
  [16, 0],
  [16, DATE],
  [32, sum],
  [32, size],
  [32, size],
  [16, name.length],
]

function record(signature: number, ...fields: readonly Field[]): Buffer {
  const all: readonly Field[] = [[32, signature], ...fields]
  const buffer = Buffer.alloc(all.reduce((sum, [bits]) => sum + bits / 8, 0))
  let at = 0
  for (const [bits, value] of all) {
    at = bits === 16 ? buffer.writeUInt16LE(value, at) : buffer.writeUInt32LE(value, at)
  }
  return buffer
}
