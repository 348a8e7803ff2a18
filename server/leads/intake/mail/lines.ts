// The lines of a mail as a person sees them: table cells separated, numbers and addresses of links added to
// their text.
import { convert, type FormatCallback } from 'html-to-text'
import type { Mail } from './mail.ts'

const MAX_LINES = 1_000
const MAX_LINE = 4_000
const OWN_LINE = { leadingLineBreaks: 1, trailingLineBreaks: 1 }

/** Links that dial, chat or mail show their target; other links point to pages of the sender. */
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

/** Prefers HTML, because the text part may only say to open it elsewhere. */
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

/** Removes quote marks and emphasis, and normalises spaces and hyphens. */
const toLines = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .slice(0, MAX_LINES)
    .map((line) =>
      line
        .slice(0, MAX_LINE)
        .replace(/[\u200B-\u200D\u2060\uFEFF\u00AD]/g, '')
        .replace(/[\u2010\u2011]/g, '-')
        .replace(/\s+/g, ' ')
        .replace(/^[>\s*•]+/, '')
        .replace(/ ?\*$/, '')
        .trim(),
    )
