// Reads a delivery that may be far larger than the portal wants in memory.
import { statedBytes } from '#server/request-bytes.ts'

const QUOTE = 34
const BACKSLASH = 92

export type BodyLimits = {
  wholeBytes: number
  /** A longer string is a file, not a text. */
  stringBytes: number
}

/**
 * The received JSON, complete up to `wholeBytes`; in a larger one every string longer than `stringBytes` is
 * emptied without being held. Null if even the rest is too large. The request is always read to its end,
 * because a sender that is cut off sends again.
 */
export async function readBody(
  request: Request,
  { wholeBytes, stringBytes }: BodyLimits,
): Promise<string | null> {
  if ((statedBytes(request) ?? Infinity) <= wholeBytes) return request.text()
  let held: Uint8Array[] = []
  let heldBytes = 0
  let shortened: ReturnType<typeof createShortening> | null = null
  for await (const chunk of request.body ?? []) {
    if (shortened) {
      shortened.add(chunk)
      continue
    }
    held.push(chunk)
    heldBytes += chunk.byteLength
    if (heldBytes <= wholeBytes) continue
    shortened = createShortening(wholeBytes, stringBytes)
    held.forEach(shortened.add)
    held = []
  }
  return shortened ? shortened.text() : Buffer.concat(held).toString()
}

/** Removes long strings from JSON as it streams. */
function createShortening(mostBytes: number, stringBytes: number) {
  let out = Buffer.alloc(64 * 1024)
  let size = 0
  let isInString = false
  let isEscaped = false
  let isLong = false
  let startedAt = 0

  function write(byte: number) {
    if (size === mostBytes) return
    if (size === out.length) out = Buffer.concat([out, Buffer.alloc(out.length)])
    out[size++] = byte
  }

  function add(chunk: Uint8Array) {
    for (const byte of chunk) {
      const isEnd = isInString && !isEscaped && byte === QUOTE
      if (isInString && !isEnd) {
        isEscaped = !isEscaped && byte === BACKSLASH
        if (!isLong && size - startedAt < stringBytes) write(byte)
        else if (!isLong) {
          isLong = true
          size = startedAt
        }
        continue
      }
      write(byte)
      if (byte !== QUOTE) continue
      isInString = !isEnd
      isEscaped = isLong = false
      startedAt = size
    }
  }

  return { add, text: () => (size === mostBytes ? null : out.toString('utf8', 0, size)) }
}
