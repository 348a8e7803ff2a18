// Reads a delivery. Files in it are decoded as they come, so that a large one is held once, as its bytes, and never as
// text.
import { statedBytes } from '#server/request-bytes.ts'
import { createFileDecoder, type FileDecoder } from './file-decoder.ts'

const QUOTE = 34
const BACKSLASH = 92

export type BodyLimits = {
  /** A body whose content-length is at most this is read in one piece. */
  plainBytes: number
  /** A string longer than this is decoded as a file if its key is `base64`; under any other key it becomes empty. */
  stringBytes: number
  /**
   * Maximum bytes of all files of one delivery. The portal leaves out a file that exceeds it, and fetches it later from
   * the gateway when a person opens it.
   */
  fileBytes: number
  /** Maximum bytes of a delivery without its files. A larger delivery is not read. */
  textBytes: number
}

/** `text` is JSON in which 'held:0' refers to the first of `files`. */
export type Body = { text: string; files: readonly (Uint8Array | null)[] }

/**
 * Null when the text is too large. The body is read to its end all the same: a sender that is cut off sends again.
 * `onBytes` gets the bytes as they were sent.
 */
export async function readBody(
  request: Request,
  limits: BodyLimits,
  onBytes?: (bytes: Uint8Array) => void,
): Promise<Body | null> {
  const stated = statedBytes(request)
  if (stated !== null && stated <= limits.plainBytes) {
    const bytes = new Uint8Array(await request.arrayBuffer())
    onBytes?.(bytes)
    return { text: new TextDecoder().decode(bytes), files: [] }
  }
  const scan = createScan(limits, stated)
  for await (const chunk of request.body ?? []) {
    onBytes?.(chunk)
    scan.add(chunk)
  }
  return scan.end()
}

/** The value of a key `base64`, up to its opening quote. */
const BEFORE_FILE = /"base64"\s*:\s*"$/
const BEFORE_CHARS = 40

/** Copies JSON without its long strings. */
function createScan({ stringBytes, fileBytes, textBytes }: BodyLimits, stated: number | null) {
  const files: (Uint8Array | null)[] = []
  const endOfString = createStringEnds()
  let out = Buffer.allocUnsafe(64 * 1024)
  let size = 0
  let isTooLarge = false
  let isInString = false
  let startedAt = 0
  /** The long string that is being read, with its decoder if it is a file; null while a short string is read. */
  let long: { file: FileDecoder | null } | null = null
  let seenBytes = 0
  let filesLeft = fileBytes

  function write(bytes: Uint8Array) {
    if (size + bytes.length > textBytes + stringBytes) {
      isTooLarge = true
      return
    }
    if (size + bytes.length > out.length) {
      const larger = Buffer.allocUnsafe(2 * (size + bytes.length))
      out.copy(larger, 0, 0, size)
      out = larger
    }
    out.set(bytes, size)
    size += bytes.length
  }

  function beginLong(): { file: FileDecoder | null } {
    const before = out.toString('latin1', Math.max(0, startedAt - BEFORE_CHARS), startedAt)
    const held = out.subarray(startedAt, size)
    size = startedAt
    if (!BEFORE_FILE.test(before)) return { file: null }
    const toComeBytes = stated === null ? null : stated - seenBytes + held.length
    const file = createFileDecoder(filesLeft, toComeBytes)
    file.add(held)
    return { file }
  }

  function endLong({ file }: { file: FileDecoder | null }) {
    if (file === null) return
    const bytes = file.end()
    filesLeft -= bytes?.length ?? 0
    write(Buffer.from(`held:${files.push(bytes) - 1}`))
  }

  /** Part of a string, without its closing quote. */
  function addToString(part: Uint8Array) {
    if (long) return long.file?.add(part)
    const room = stringBytes + startedAt - size
    write(part.subarray(0, room + 1))
    if (part.length <= room) return
    long = beginLong()
    long.file?.add(part.subarray(room + 1))
  }

  function add(chunk: Uint8Array) {
    seenBytes += chunk.length
    for (let at = 0; at < chunk.length;) {
      const quote = isInString ? endOfString(chunk, at) : chunk.indexOf(QUOTE, at)
      const end = quote === -1 ? chunk.length : quote
      if (isInString) addToString(chunk.subarray(at, end))
      else write(chunk.subarray(at, end))
      at = end
      if (quote === -1) break
      if (long !== null) endLong(long)
      long = null
      write(chunk.subarray(quote, quote + 1))
      isInString = !isInString
      startedAt = size
      at = quote + 1
    }
  }

  return {
    add,
    end: (): Body | null =>
      isTooLarge || size > textBytes ? null : { text: out.toString('utf8', 0, size), files },
  }
}

/** Finds the end of a JSON string that may arrive in several chunks. */
function createStringEnds() {
  let isEscaped = false
  /** Answers the index of the closing quote in this chunk, or -1. */
  return (chunk: Uint8Array, from: number): number => {
    for (let at = from; at < chunk.length;) {
      if (isEscaped) {
        isEscaped = false
        at += 1
        continue
      }
      const quote = chunk.indexOf(QUOTE, at)
      const backslash = chunk.indexOf(BACKSLASH, at)
      if (backslash === -1 || (quote !== -1 && quote < backslash)) return quote
      isEscaped = true
      at = backslash + 1
    }
    return -1
  }
}
