// Parses a raw mail: its texts, sender, and mails forwarded as attachments. Other attachments are ignored.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type AddressObject, type Headers, MailParser } from 'mailparser'
import { cleanText, cutText } from '#domain/clean-text.ts'
import { fieldsOf, textOf } from '../new-lead.ts'
import type { Address, Mail } from './mail.ts'
import { RAW } from './mail.ts'

/** Maximum of a stored text; a lead's own words are shorter, and HTML with pictures is longer. */
const MAX_TEXT = 60_000
const MAX_HTML = 100_000
const MAX_HEADER = 500
const MAX_ATTACHED = 5
const MAX_PARTS = 20
const MAX_ATTACHED_BYTES = 256 * 1024
/** Maximum depth of forwarded mails within forwarded mails. */
const DEEPEST = 3

/** Never rejects for anything that a sender may write. */
export async function readMime(bytes: Uint8Array, depth = 0): Promise<Mail> {
  const mail = await parse(bytes, depth)
  if (!`${mail.text}${mail.html}`.includes('\uFFFD')) return mail
  // The mail declares a charset that it does not use.
  const renamed = Buffer.from(bytes)
    .toString('latin1')
    .replace(/charset="?[\w.:-]{1,40}"?/gi, 'charset=windows-1252')
  const again = await parse(Buffer.from(renamed, 'latin1'), depth)
  return { ...again, id: mail.id }
}

function parse(bytes: Uint8Array, depth: number): Promise<Mail> {
  return new Promise((resolve, reject) => {
    const parser = new MailParser({ skipHtmlToText: true, skipImageLinks: true })
    let headers: Headers = new Map()
    let lines: readonly { key: string; line: string }[] = []
    let texts = { text: '', html: '' }
    const attached: Promise<Mail>[] = []
    const parts: string[] = []
    parser.on('headers', (read: Headers) => {
      headers = read
    })
    parser.on('headerLines', (read: { key: string; line: string }[]) => {
      lines = read
    })
    parser.on('data', (part: unknown) => {
      const { type, content, contentType, release, text, html } = part as Record<string, unknown>
      if (type === 'text')
        texts = { text: typeof text === 'string' ? text : '', html: typeof html === 'string' ? html : '' }
      if (type !== 'attachment') return
      if (typeof contentType === 'string' && parts.length < MAX_PARTS) parts.push(contentType.slice(0, 100))
      const isMail = contentType === 'message/rfc822' && depth < DEEPEST && attached.length < MAX_ATTACHED
      const letGo = release as () => void
      if (isMail)
        attached.push(bytesOf(content as Readable, letGo).then((inner) => readMime(inner, depth + 1)))
      else {
        ;(content as Readable).on('end', letGo)
        ;(content as Readable).resume()
      }
    })
    parser.on('error', reject)
    parser.on('end', () => {
      Promise.all(attached).then(
        (mails) => resolve(toMail({ headers, lines, texts, parts, attached: mails })),
        reject,
      )
    })
    Readable.from([Buffer.from(bytes)]).pipe(parser)
  })
}

async function bytesOf(content: Readable, letGo: () => void): Promise<Uint8Array> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of content) {
    length += (part as Buffer).length
    if (length <= MAX_ATTACHED_BYTES) parts.push(part as Buffer)
  }
  letGo()
  return Buffer.concat(parts)
}

type Parsed = {
  headers: Headers
  lines: readonly { key: string; line: string }[]
  texts: { text: string; html: string }
  parts: readonly string[]
  attached: readonly Mail[]
}

function toMail({ headers, lines, texts, parts, attached }: Parsed): Mail {
  const plain: Record<string, string> = Object.create(null) as Record<string, string>
  for (const { key, line } of lines)
    plain[key] ??= cleanText(
      line
        .slice(line.indexOf(':') + 1)
        .replace(/\s+/g, ' ')
        .trim(),
    ).slice(0, MAX_HEADER)
  const text = cutText(cleanText(texts.text), MAX_TEXT)
  const html = cutText(cleanText(texts.html), MAX_HTML)
  const subject = cleanText(textOf(headers.get('subject')) ?? '').slice(0, MAX_HEADER)
  const from = addressesOf(headers.get('from'))
  return {
    from: from[0] ?? null,
    replyTo: addressesOf(headers.get('reply-to')),
    to: [...addressesOf(headers.get('to')), ...addressesOf(headers.get('delivered-to'))],
    subject,
    text,
    html,
    headers: plain,
    // Two texts may share a Message-ID, and some mails have none, so the content is part of the id.
    id: createHash('sha256')
      .update(
        JSON.stringify([
          plain['message-id'],
          plain['from'],
          plain['subject'],
          plain['date'],
          texts.text,
          texts.html,
        ]),
      )
      .digest('base64url'),
    parts,
    attached,
  }
}

function addressesOf(value: unknown): Address[] {
  const objects = (Array.isArray(value) ? value : [value]) as (AddressObject | undefined)[]
  return objects.flatMap((object) =>
    (typeof object === 'object' ? (object.value ?? []) : []).flatMap(({ name, address }) =>
      address
        ? [
            {
              name: cleanText(name ?? '').slice(0, 200),
              address: cleanText(address).toLowerCase().slice(0, 254),
            },
          ]
        : [],
    ),
  )
}

/**
 * If a service posts the original mail as well, that one is read, because the service's own fields are
 * poorer.
 */
export async function withMime(body: unknown): Promise<unknown> {
  const fields = fieldsOf(body)
  const raw = RAW.map((name) => fields[name]).find(
    (one) => typeof one === 'string' && /^[\w-]+:.*\r?\n/.test(one),
  )
  if (
    typeof raw !== 'string' ||
    !/^(?:from|subject|received|return-path|message-id|date|mime-version|to):/im.test(raw)
  )
    return body
  return { mail: await readMime(Buffer.from(raw)) }
}
