// Decodes base64 as it comes, so that a file is held once.

export type FileDecoder = {
  add: (base64: Uint8Array) => void
  /** Null: it was no plain base64, or larger than allowed. */
  end: () => Uint8Array | null
}

const SLASH = 47
const BACKSLASH = 92
const FIRST_BYTES = 1024 * 1024
/** Text is made of so much at once; a multiple of four. */
const PIECE = 64 * 1024

/** `toComeBytes`: so much base64 follows at most; null where nobody knows. */
export function createFileDecoder(mostBytes: number, toComeBytes: number | null): FileDecoder {
  let bytes: Buffer | null = Buffer.allocUnsafeSlow(
    Math.min(mostBytes, toComeBytes === null ? FIRST_BYTES : Math.ceil((toComeBytes * 3) / 4)),
  )
  let size = 0
  /** Fewer than four characters that wait for the rest of their group. */
  let rest = ''
  let isOver = false

  /** Whether there is room for so many more bytes. */
  function grow(wanted: number): boolean {
    if (bytes === null || size + wanted > mostBytes) return false
    if (size + wanted > bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(mostBytes, 2 * (size + wanted)))
      bytes.copy(larger, 0, 0, size)
      bytes = larger
    }
    return true
  }

  function decode(text: string) {
    const chars = text.replace(/=+$/, '')
    const wanted = Math.floor((chars.length * 3) / 4)
    if (wanted === 0) return
    // What follows the padding belongs to nothing.
    if (isOver || !grow(wanted) || bytes?.write(chars, size, wanted, 'base64') !== wanted) bytes = null
    else size += wanted
    isOver = chars.length % 4 !== 0
  }

  function addPiece(piece: Uint8Array) {
    if (bytes === null) return
    const text = rest + Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('latin1')
    const whole = text.length - (text.length % 4)
    rest = text.slice(whole)
    decode(text.slice(0, whole))
  }

  return {
    add: (base64) => {
      // JSON may write a slash as \/, which some senders do.
      const plain = base64.includes(BACKSLASH) ? withoutEscapes(base64) : base64
      for (let at = 0; at < plain.length; at += PIECE) addPiece(plain.subarray(at, at + PIECE))
    },
    end: () => {
      if (rest !== '') decode(rest)
      return bytes === null || size === 0 ? null : bytes.subarray(0, size)
    },
  }
}

/** Any other escape stays, and is no base64. */
const withoutEscapes = (base64: Uint8Array) =>
  base64.filter((byte, at) => byte !== BACKSLASH || (at + 1 < base64.length && base64[at + 1] !== SLASH))
