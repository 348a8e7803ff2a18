// Decodes base64 as it comes, so that a file is held once.

export type FileDecoder = {
  add: (base64: Uint8Array) => void
  /** Answers the decoded bytes; null if the text was no plain base64 or the file is larger than allowed. */
  end: () => Uint8Array | null
}

const SLASH = 47
const BACKSLASH = 92
const FIRST_BYTES = 1024 * 1024
/** The decoder converts this many characters at a time; a multiple of four, because base64 comes in groups of four. */
const PIECE = 64 * 1024

/** `toComeBytes` bounds how much base64 follows; null if the sender did not say how long its body is. */
export function createFileDecoder(mostBytes: number, toComeBytes: number | null): FileDecoder {
  let bytes: Buffer | null = Buffer.allocUnsafeSlow(
    Math.min(mostBytes, toComeBytes === null ? FIRST_BYTES : Math.ceil((toComeBytes * 3) / 4)),
  )
  let size = 0
  /** Fewer than four characters that wait for the rest of their group. */
  let rest = ''
  let isOver = false

  /** Makes room for more bytes; answers false if the file would exceed its limit. */
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
    // Characters after the padding make the file invalid.
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

/** Only the escaped slash is undone. Any other escape stays, so that the text is refused as base64. */
const withoutEscapes = (base64: Uint8Array) =>
  base64.filter((byte, at) => byte !== BACKSLASH || (at + 1 < base64.length && base64[at + 1] !== SLASH))
