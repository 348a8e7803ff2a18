// The worker thread that writes a conversation's PDF: it receives lines of text and answers with the file's bytes.
// It is plain JavaScript, because a worker thread loads it by path, in tests from the sources and otherwise from the
// bundle.
import { create } from 'fontkit'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import Document from 'pdfkit'
import { unpackWoff } from './woff.mjs'

/**
 * @typedef {{ style: 'title' | 'heading' | 'about' | 'text', text: string }} Line
 * @typedef {{ lines: readonly Line[] } | { ends: string }} Piece `ends`: the last line, without the number of pages
 * @typedef {{ title: string, subject: string, atMs: number }} About `atMs`: the file's date, fixed so that the same
 *   content gives the same bytes
 */

const port = parentPort
if (!port) throw new Error('pdf-worker.mjs runs as a worker thread only')

const require = createRequire(import.meta.url)
const FONTS = {
  words: require.resolve('@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff'),
  strong: require.resolve('@fontsource/dejavu-sans/files/dejavu-sans-latin-700-normal.woff'),
  emoji: require.resolve('@fontsource/noto-emoji/files/noto-emoji-emoji-400-normal.woff'),
}
/** @typedef {keyof typeof FONTS} FontName */

const STYLES = {
  title: { font: /** @type {FontName} */ ('strong'), size: 16, color: '#000000', before: 0 },
  heading: { font: /** @type {FontName} */ ('strong'), size: 8.5, color: '#333333', before: 7 },
  about: { font: /** @type {FontName} */ ('words'), size: 8, color: '#444444', before: 1 },
  text: { font: /** @type {FontName} */ ('words'), size: 10, color: '#000000', before: 1 },
}
const MARGIN = { top: 48, left: 48, right: 48, bottom: 60 }
const FOOT = { size: 8, color: '#444444', above: 36 }
/** Height kept free for the last line, which may wrap. */
const END_ROOM = 40
/** Shown for a character that no font has. */
const UNKNOWN = '□'
/** This character asks for the coloured form of an emoji. It has no glyph, so the PDF leaves it out. */
const VARIATION = 0xfe0f
const JOINER = 0x200d
const isSkin = (/** @type {number} */ point) => point >= 0x1f3fb && point <= 0x1f3ff

const { title, subject, atMs } = /** @type {About} */ (workerData)
const doc = new Document({
  size: 'A4',
  margins: MARGIN,
  lang: 'pt-BR',
  autoFirstPage: false,
  info: { Title: title, Subject: subject, CreationDate: new Date(atMs) },
})
const known = /** @type {Record<FontName, import('fontkit').Font>} */ ({})
for (const name of /** @type {FontName[]} */ (Object.keys(FONTS))) {
  const bytes = unpackWoff(readFileSync(FONTS[name]))
  known[name] = /** @type {import('fontkit').Font} */ (create(bytes))
  doc.registerFont(name, bytes)
}

/** The footer's text in one font: changing fonts would disturb the text that the page break interrupts. */
const foot = runsOf(plain(title), 'words')
  .map(({ font, text }) => (font === 'words' ? text : UNKNOWN))
  .join('')
let pages = 0
/** The look of the running text. It is restored after the footer, which a page break draws in the middle of a text. */
let current = { font: /** @type {FontName} */ ('words'), size: 10, color: '#000000' }

const use = ({ font, size, color } = current) => doc.font(font).fontSize(size).fillColor(color)

doc.on('pageAdded', () => {
  pages += 1
  const { x, y, page } = doc
  // Text below the margin would add a page.
  page.margins.bottom = 0
  use({ font: 'words', ...FOOT })
  // Null, because the width of the interrupted text does not apply to the footer.
  const options = { lineBreak: false, width: /** @type {any} */ (null), continued: false }
  doc.text(`${foot} · página ${pages}`, MARGIN.left, page.height - FOOT.above, options)
  page.margins.bottom = MARGIN.bottom
  Object.assign(doc, { x, y })
  use()
})
doc.addPage()

/**
 * Splits the text into runs of one font each.
 * @param {string} text
 * @param {FontName} font
 */
function runsOf(text, font) {
  /** @type {{ font: FontName, text: string }[]} */
  const runs = []
  for (const sign of text) {
    const point = sign.codePointAt(0) ?? 0
    const last = runs.at(-1)
    if (point === VARIATION) continue
    // A new line has no glyph in any font.
    if (sign === '\n' && last) {
      last.text += sign
      continue
    }
    const isPart = last?.font === 'emoji' && (point === JOINER || isSkin(point))
    const name = isPart || !known[font].hasGlyphForCodePoint(point) ? 'emoji' : font
    const has = known[name].hasGlyphForCodePoint(point)
    const run = { font: has ? name : font, text: has ? sign : UNKNOWN }
    if (last?.font === run.font) last.text += run.text
    else runs.push(run)
  }
  return runs
}

/** @param {Line} line */
function write({ style, text }) {
  const { before, ...look } = STYLES[style]
  doc.y += before
  doc.x = MARGIN.left
  const runs = runsOf(plain(text), look.font)
  runs.forEach((run, at) => {
    current = { ...look, font: run.font }
    use()
    doc.text(run.text, { continued: at < runs.length - 1 })
  })
}

/**
 * Cleans a text: a tab or a decomposed accent would garble what follows, and other control characters have no glyph.
 * @param {string} text
 */
function plain(text) {
  return (
    text
      .normalize('NFC')
      .replace(/\r\n?|[\u2028\u2029]/g, '\n')
      .replace(/[^\S\n]/g, ' ')
      // oxlint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2066-\u2069\ufeff]/g, '')
  )
}

/** @type {Buffer[]} */
const written = []
doc.on('data', (/** @type {Buffer} */ bytes) => written.push(bytes))
doc.on('end', () => {
  const bytes = new Uint8Array(Buffer.concat(written))
  port.postMessage({ bytes, pages }, [bytes.buffer])
  port.close()
})

port.on('message', (/** @type {Piece} */ piece) => {
  if ('lines' in piece) {
    for (const line of piece.lines) write(line)
    // The portal reads the next page of messages only after this answer, so that few are in memory.
    port.postMessage({ taken: true })
    return
  }
  // The line names the number of pages, so it may not begin a page itself.
  if (doc.y + END_ROOM > doc.page.height - MARGIN.bottom) doc.addPage()
  write({
    style: 'heading',
    text: `${piece.ends} Este arquivo tem ${pages} ${pages === 1 ? 'página' : 'páginas'}.`,
  })
  doc.end()
})
