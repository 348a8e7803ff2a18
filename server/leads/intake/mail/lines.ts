// The lines of a mail as a person sees them: cells of tables apart, numbers and addresses of links beside their words.
import { convert, type FormatCallback } from 'html-to-text'
import type { Mail } from './mail.ts'

const MOST_LINES = 1_000
const MOST_LINE = 4_000
const OWN_LINE = { leadingLineBreaks: 1, trailingLineBreaks: 1 }

/** A link that dials, chats or writes says to whom; others lead to pages of the sender's. */
const linkFormat: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder)
  const told = personLink(String(element.attribs?.['href'] ?? ''))
  if (told !== null) builder.addInline(` <${told}>`)
}

function personLink(href: string): string | null {
  const address = href.slice(0, 500)
  const [, dialled] =
    /^(?:tel:|(?:https?:)?\/\/(?:wa\.me|(?:api|web)\.whatsapp\.com\/send\/?\?(?:[^#]*&)?phone=)\/?|whatsapp:\/\/send\/?\?(?:[^#]*&)?phone=)((?:\+|%2B)?[\d()\s.%-]{8,30})/i.exec(
      address,
    ) ?? []
  if (dialled !== undefined) return unescaped(dialled).replace(/[^\d+]/g, '')
  const [, written] = /^mailto:([^?]{3,200})/i.exec(address) ?? []
  return written?.includes('@') ? unescaped(written) : null
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** HTML where there is some, since its text may say only to open it elsewhere; then the plain lines. */
export function linesOf({ html, text }: Pick<Mail, 'html' | 'text'>): {
  lines: readonly string[]
  others: readonly string[]
} {
  const plain = toLines(text)
  if (html.trim() === '') return { lines: plain, others: [] }
  const rich = toLines(fromHtml(html))
  return rich.some((line) => line !== '') ? { lines: rich, others: plain } : { lines: plain, others: [] }
}

const fromHtml = (html: string): string =>
  convert(html, {
    wordwrap: false,
    limits: { maxInputLength: 200_000, maxDepth: 100, maxChildNodes: 5_000 },
    formatters: { personLink: linkFormat },
    selectors: [
      ...['td', 'th', 'tr', 'dt', 'dd'].map((selector) => ({ selector, format: 'block', options: OWN_LINE })),
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
      { selector: 'img', format: 'skip' },
      { selector: 'a', format: 'personLink' },
    ],
  })

/** Without marks of quoting and emphasis, with plain spaces and hyphens. */
const toLines = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .slice(0, MOST_LINES)
    .map((line) =>
      line
        .slice(0, MOST_LINE)
        .replace(/[\u200B-\u200D\u2060\uFEFF\u00AD]/g, '')
        .replace(/[\u2010\u2011]/g, '-')
        .replace(/\s+/g, ' ')
        .replace(/^[>\s*•]+/, '')
        .replace(/ ?\*$/, '')
        .trim(),
    )
