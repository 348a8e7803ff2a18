// Reads a VRSync feed while it arrives: one listing in memory at a time, whatever the file's size.
import { TextDecoder } from 'node:util'
import { SaxesParser } from 'saxes'
import { PortalError } from '#domain/errors.ts'
import { toListing, type FeedListing, type FeedProblem, type RawListing } from './listing.ts'

export const MAX_FEED_BYTES = 30 * 1024 * 1024
const MAX_LISTINGS = 20_000
const MAX_DEPTH = 40
/** Longer texts are cut before they fill the memory. */
const MAX_TEXT = 20_000
const MAX_ITEMS = 200
/** The problems that are shown; further ones are only counted. */
const MAX_PROBLEMS = 200
const BATCH = 100
/** The XML declaration, which names the encoding, lies within these first bytes. */
const DECLARED_WITHIN = 512
const ENCODINGS: Record<string, string> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  'iso-8859-1': 'windows-1252',
  'iso-8859-15': 'iso-8859-15',
  latin1: 'windows-1252',
  'windows-1252': 'windows-1252',
  'utf-16': 'utf-16le',
}

export type FeedSummary = { total: number; problems: FeedProblem[]; problemCount: number }

const unreadable = (words: string, cause?: unknown) =>
  new PortalError('feed.unreadable', words, { status: 422, cause })

/**
 * Passes the listings to `take` in groups, each code once. Rejects with `feed.unreadable` or `feed.too-large` unless
 * the file is a complete VRSync; the caller must then discard the groups that it got.
 */
export async function readVrsync(
  bytes: AsyncIterable<Uint8Array>,
  take: (listings: FeedListing[]) => Promise<void>,
): Promise<FeedSummary> {
  const reader = createReader()
  for await (const text of decoded(bytes)) {
    reader.write(text)
    if (reader.ready.length >= BATCH) await take(reader.ready.splice(0))
  }
  const summary = reader.end()
  if (reader.ready.length > 0) await take(reader.ready.splice(0))
  return summary
}

/** The text of a file, decoded by its declared encoding, without a byte order mark or blanks before it. */
async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null
  let before = new Uint8Array(0)
  let size = 0
  let hasBegun = false
  const fresh = (text: string) => {
    if (hasBegun) return text
    const begun = text.trimStart()
    hasBegun = begun !== ''
    return begun
  }
  try {
    for await (const piece of bytes) {
      size += piece.length
      if (size > MAX_FEED_BYTES)
        throw new PortalError('feed.too-large', 'O feed passa de 30 MB. Nada mudou.', { status: 413 })
      if (decoder === null) {
        before = Buffer.concat([before, piece])
        if (before.length < DECLARED_WITHIN) continue
        decoder = decoderOf(before)
        yield fresh(decoder.decode(before, { stream: true }))
      } else {
        yield fresh(decoder.decode(piece, { stream: true }))
      }
    }
    if (size === 0) throw unreadable('O feed veio vazio. Nada mudou.')
    if (decoder === null) {
      decoder = decoderOf(before)
      yield fresh(decoder.decode(before, { stream: true }))
    }
    yield fresh(decoder.decode())
  } catch (error) {
    if (error instanceof TypeError)
      throw unreadable('O feed diz ser UTF-8, mas tem letras em outra codificação. Nada mudou.', error)
    throw error
  }
}

/**
 * Never decodes in one step: only a streaming decoder of Node.js 20 reads bytes 0x80 to 0x9F of windows-1252, which
 * files that claim to be ISO-8859-1 contain.
 */
function decoderOf(first: Uint8Array): TextDecoder {
  if (first[0] === 0xff && first[1] === 0xfe) return new TextDecoder('utf-16le', { fatal: true })
  if (first[0] === 0xfe && first[1] === 0xff) return new TextDecoder('utf-16be', { fatal: true })
  const start = Buffer.from(first.subarray(0, DECLARED_WITHIN)).toString('latin1')
  const declared = /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']/i.exec(start)?.[1]
  const encoding = declared === undefined ? 'utf-8' : ENCODINGS[declared.toLowerCase()]
  if (encoding === undefined)
    throw unreadable(`A codificação ${declared} não é lida. Peça o feed em UTF-8 ou ISO-8859-1.`)
  return new TextDecoder(encoding, { fatal: true })
}

type Frame = { name: string; text: string; attributes: Readonly<Record<string, string>> }

/** Elements into which programs write HTML without escaping it. */
const WITH_HTML = new Set(['Title', 'Description'])

/** The listings and problems of a file; each code once. */
function createListings() {
  const ready: FeedListing[] = []
  const problems: FeedProblem[] = []
  const codes = new Set<string>()
  let problemCount = 0
  const report = (problem: FeedProblem) => {
    problemCount += 1
    if (problems.length < MAX_PROBLEMS) problems.push(problem)
  }
  return {
    ready,
    add(raw: RawListing) {
      const listing = toListing(raw, report)
      if (listing === null) return
      const { code } = listing
      if (codes.has(code)) {
        const message = 'O código aparece mais de uma vez: vale o primeiro imóvel.'
        return report({ line: raw.line, code, message })
      }
      if (codes.size >= MAX_LISTINGS)
        throw unreadable(`O feed tem mais de ${MAX_LISTINGS} imóveis. Nada mudou.`)
      codes.add(code)
      ready.push(listing)
    },
    summary: (): FeedSummary => ({ total: codes.size, problems, problemCount }),
  }
}

/** Elements are known by their local name: programs write other prefixes, other namespaces, or none. */
function createReader() {
  const listings = createListings()
  const frames: Frame[] = []
  let raw: RawListing | null = null
  let hasRoot = false
  let hasListings = false
  let contactDepth: number | null = null

  function open(name: string, { attributes, line }: { attributes: Frame['attributes']; line: number }) {
    const parent = frames.at(-1)?.name
    if (parent === undefined && name !== 'ListingDataFeed') throw notVrsync('ListingDataFeed')
    hasRoot = true
    if (frames.length >= MAX_DEPTH)
      throw unreadable('O feed tem elementos dentro de elementos demais. Nada mudou.')
    if (name === 'Listings' && frames.length === 1) hasListings = true
    if (name === 'Listing' && parent === 'Listings') raw = { line, fields: new Map(), items: [] }
    if (name === 'ContactInfo') contactDepth ??= frames.length
    frames.push({ name, text: '', attributes })
  }

  function addText(text: string) {
    const frame = frames.at(-1)
    if (raw === null || frame === undefined || frame.text.length >= MAX_TEXT) return
    frame.text += text.slice(0, MAX_TEXT - frame.text.length)
  }

  function close() {
    const frame = frames.pop()
    const parent = frames.at(-1)
    if (frames.length === contactDepth) contactDepth = null
    if (raw === null || frame === undefined || parent === undefined) return
    if (frame.name === 'Listing' && parent.name === 'Listings') {
      listings.add(raw)
      raw = null
    } else if (WITH_HTML.has(parent.name)) {
      parent.text += /^(?:br|p|div|li)$/i.test(frame.name) ? `${frame.text}\n` : frame.text
    } else {
      addField(raw, frame, contactDepth !== null)
    }
  }

  const parser = new SaxesParser<{ position: true; xmlns: false }>({ position: true, xmlns: false })
  // The one HTML entity that programs write; others are an error of the file.
  Object.assign(parser.ENTITIES, { nbsp: '\u00a0' })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => open(localOf(name), { attributes, line: parser.line }))
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', close)
  const guarded = (step: () => void) => {
    try {
      step()
    } catch (error) {
      if (error instanceof PortalError) throw error
      if (!hasRoot) throw notVrsync('ListingDataFeed', error)
      throw unreadable(faultOf(error, parser.line), error)
    }
  }
  return {
    ready: listings.ready,
    write: (text: string) => guarded(() => void parser.write(text)),
    end: (): FeedSummary => {
      guarded(() => void parser.close())
      if (!hasListings) throw notVrsync('Listings')
      return listings.summary()
    },
  }
}

const localOf = (name: string) => name.slice(name.indexOf(':') + 1)
const notVrsync = (missing: string, cause?: unknown) =>
  unreadable(`O arquivo não é um VRSync: falta <${missing}>. Nada mudou.`, cause)

/** Names the line where the parser stopped. After an unescaped '&' the parser reads on to the next ';'. */
function faultOf(error: unknown, line: number): string {
  const message = error instanceof Error ? error.message : ''
  if (/unclosed tag|unexpected end/i.test(message))
    return 'O feed chegou cortado, ou tem um “&” solto: falta o fim do arquivo. Nada mudou.'
  if (/entity/i.test(message))
    return `Até a linha ${line} há um “&” solto ou um sinal que o XML não conhece. Nada mudou.`
  return `O XML tem um erro na linha ${line}. Nada mudou.`
}

function addField(raw: RawListing, { name, text, attributes }: Frame, isContact: boolean) {
  if (name === 'Item') {
    if (raw.items.length < MAX_ITEMS)
      raw.items.push({
        medium: attributes['medium']?.trim().toLowerCase() ?? '',
        caption: attributes['caption'] ?? '',
        isPrimary: /^(?:true|1)$/i.test(attributes['primary']?.trim() ?? ''),
        url: text.trim(),
      })
    return
  }
  const key = isContact ? `ContactInfo/${name}` : name
  if (!raw.fields.has(key)) raw.fields.set(key, { text, attributes })
}
