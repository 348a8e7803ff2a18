// Separates mails within a mail's text: forwarded ones, and those that an answer quotes.
import { type Address, addressesIn } from './mail.ts'

const FORWARD =
  /^-{2,} ?(?:forwarded message|mensagem encaminhada|mensagem original|original message|in[ií]cio da mensagem encaminhada|begin forwarded message) ?-*:?$|^(?:in[ií]cio da mensagem encaminhada|begin forwarded message):?$/i
const FROM = /^(?:de|from)\s*:/i
const HEAD =
  /^(?:de|from|para|to|cc|data|date|enviad[ao](?: em)?|sent|assunto|subject|responder a|reply-to)\s*:/i
const QUOTE = /^(?:em|on|le|el) .{6,200}(?:escreveu|wrote|escribi[oó]):?$/i
const MAX_HEAD = 12

export type Forwarded = { from: Address | null; subject: string | null; lines: readonly string[] }

/** The forwarded text of the innermost sender. Null: nothing was forwarded. */
export function forwardedIn(lines: readonly string[]): Forwarded | null {
  const at = lines.findIndex((line, index) => FROM.test(line) && isHead(lines, index))
  if (at < 0) return null
  const head: string[] = []
  let end = at
  for (; end < lines.length && end < at + MAX_HEAD; end++) {
    const line = lines[end] ?? ''
    if (line === '' && head.length > 1) break
    if (line !== '' && !HEAD.test(line)) break
    if (line !== '') head.push(line)
  }
  const [from] = addressesIn((head.find((line) => FROM.test(line)) ?? '').replace(/^[^:]*:/, ''))
  const subject =
    head.find((line) => /^(?:assunto|subject)\s*:/i.test(line))?.replace(/^[^:]*:\s*/, '') ?? null
  const inner = { from: from ?? null, subject, lines: lines.slice(end) }
  return forwardedIn(inner.lines) ?? inner
}

/** A site's form writes 'De:' too; a forwarded head also has a recipient or date, or is announced. */
function isHead(lines: readonly string[], at: number): boolean {
  if (lines.slice(Math.max(0, at - 3), at).some((line) => FORWARD.test(line))) return true
  return lines
    .slice(at + 1, at + 5)
    .some((line) => /^(?:para|to|data|date|enviad[ao](?: em)?|sent)\s*:/i.test(line))
}

/** Removes the colleague's signature below the forwarded mail. */
export function withoutSignature(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => line === '--')
  return end < 0 ? lines : lines.slice(0, end)
}

/** Removes quoted mails: their words and numbers belong to the agency. */
export function withoutThread(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => QUOTE.test(line) || FORWARD.test(line))
  return end > 0 ? lines.slice(0, end) : lines
}
