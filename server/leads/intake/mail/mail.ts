// An e-mail as input for a lead, from an inbound mail service or the mailbox.
import { fieldsOf, firstOf, listOf, textOf, type Fields } from '../new-lead.ts'
import { withoutBrackets } from '../reading/answers.ts'
import { parseJson } from '#server/http/requests.ts'

export type Address = { name: string; address: string }
export type Mail = {
  from: Address | null
  replyTo: readonly Address[]
  /** The recipients: the agency. */
  to: readonly Address[]
  subject: string
  text: string
  html: string
  /** The headers, with their names in lower case. */
  headers: Readonly<Record<string, string>>
  /** Identifies one text; null if the mail has no id. */
  id: string | null
  /** Content types of the other parts. */
  parts: readonly string[]
  /** Mails that were forwarded as attachments. */
  attached: readonly Mail[]
}

const TEXT = ['text', 'TextBody', 'body-plain', 'stripped-text', 'plain']
const HTML = ['html', 'HtmlBody', 'body-html', 'stripped-html']
const SUBJECT = ['subject', 'Subject']
const FROM = ['from', 'From', 'sender']
const TO = ['to', 'To', 'recipient', 'OriginalRecipient']
const REPLY_TO = ['ReplyTo', 'Reply-To', 'reply_to']
const ID = ['Message-Id', 'MessageID', 'message_id', 'message-id']
const HEADERS = ['headers', 'Headers', 'message-headers']
/** Fields in which services post the original mail. */
export const RAW = ['email', 'body-mime', 'RawEmail', 'raw_email'] as const
const MAX_HEADERS = 200
const MAX_ADDRESSES = 20
const MAX_ATTACHED = 20

/** Tells whether an inbound mail service posted this body, under any key. */
export function isMail(body: unknown): boolean {
  const fields = withoutBrackets(fieldsOf(body))
  if ('mail' in fields && 'subject' in fieldsOf(fields['mail'])) return true
  const hasText = [...TEXT, ...HTML].some((name) => typeof fields[name] === 'string')
  const isOfService =
    'TextBody' in fields || 'HtmlBody' in fields || 'body-plain' in fields || 'body-html' in fields
  const isEnveloped =
    ('envelope' in fields || 'charsets' in fields || 'SPF' in fields) &&
    ('headers' in fields || 'from' in fields)
  return (
    (isOfService && (firstOf(fields, FROM) !== null || firstOf(fields, SUBJECT) !== null)) ||
    (hasText && isEnveloped)
  )
}

/** Reads what `toBody` has written, or the fields that a mail service posts. */
export function mailIn(body: Fields): Mail {
  if ('mail' in body) return ownMail(fieldsOf(body['mail']))
  const fields = withoutBrackets(body)
  const headers = headersIn(HEADERS.map((name) => fields[name]).find((value) => value !== undefined))
  const header = (name: string) => headers[name] ?? null
  return {
    from: addressesIn(firstOf(fields, FROM) ?? header('from') ?? '', textOf(fields['FromName']))[0] ?? null,
    replyTo: addressesIn(firstOf(fields, REPLY_TO) ?? header('reply-to') ?? ''),
    to: addressesIn(firstOf(fields, TO) ?? header('to') ?? ''),
    subject: firstOf(fields, SUBJECT) ?? header('subject') ?? '',
    text: firstOf(fields, TEXT) ?? '',
    html: firstOf(fields, HTML) ?? '',
    headers,
    id: firstOf(fields, ID) ?? header('message-id') ?? header('message_id'),
    parts: [],
    attached: [],
  }
}

/** The form in which a mail is stored; a later version can parse it again. */
export const toBody = (mail: Mail): { mail: Mail } => ({ mail })

function ownMail(fields: Fields): Mail {
  const addresses = (name: string) =>
    listOf(fields[name])
      .slice(0, MAX_ADDRESSES)
      .map(fieldsOf)
      .map(({ name: shown, address }) => ({ name: textOf(shown) ?? '', address: textOf(address) ?? '' }))
  const from = fieldsOf(fields['from'])
  return {
    from:
      textOf(from['address']) === null
        ? null
        : { name: textOf(from['name']) ?? '', address: textOf(from['address']) ?? '' },
    replyTo: addresses('replyTo'),
    to: addresses('to'),
    subject: textOf(fields['subject']) ?? '',
    text: textOf(fields['text']) ?? '',
    html: textOf(fields['html']) ?? '',
    headers: headersIn(fields['headers']),
    id: textOf(fields['id']),
    parts: listOf(fields['parts'])
      .slice(0, MAX_ATTACHED)
      .flatMap((part) => textOf(part) ?? []),
    attached: listOf(fields['attached']).slice(0, MAX_ATTACHED).map(fieldsOf).map(ownMail),
  }
}

/** Accepts headers as lines, as pairs, as {Name, Value} or as an object. */
function headersIn(value: unknown): Record<string, string> {
  const found: Record<string, string> = Object.create(null) as Record<string, string>
  const put = (name: unknown, inner: unknown) => {
    const [key, text] = [
      textOf(name)?.toLowerCase(),
      textOf(Array.isArray(inner) ? (inner as unknown[])[0] : inner),
    ]
    if (key !== undefined && text !== null && !(key in found)) found[key] = text
  }
  if (typeof value === 'string') {
    const pairs = parseJson(value)
    if (Array.isArray(pairs)) return headersIn(pairs)
    for (const line of value
      .replace(/\r?\n[ \t]+/g, ' ')
      .split(/\r?\n/)
      .slice(0, MAX_HEADERS)) {
      const [, name, text] = /^([\w-]{1,100}):(.*)$/.exec(line) ?? []
      put(name, text)
    }
  } else if (Array.isArray(value)) {
    for (const one of (value as unknown[]).slice(0, MAX_HEADERS))
      if (Array.isArray(one)) put((one as unknown[])[0], (one as unknown[])[1])
      else
        put(fieldsOf(one)['Name'] ?? fieldsOf(one)['name'], fieldsOf(one)['Value'] ?? fieldsOf(one)['value'])
  } else for (const [name, inner] of Object.entries(fieldsOf(value)).slice(0, MAX_HEADERS)) put(name, inner)
  return found
}

const MAX_CHARS = 2_000

/** 'Ana <ana@example.com>, bia@example.com'; entries without @ are skipped. */
export function addressesIn(text: string, name: string | null = null): Address[] {
  return text
    .slice(0, MAX_CHARS)
    .split(/,(?=[^"]*(?:"[^"]*"[^"]*)*$)|;/)
    .slice(0, MAX_ADDRESSES)
    .flatMap((one) => {
      const [address] = /[^\s<>"'(),;:@]{1,64}@[^\s<>"'(),;:@]{1,190}/.exec(one) ?? []
      if (address === undefined) return []
      const shown = one.slice(0, one.indexOf(address)).replace(/["<]/g, ' ').replace(/\s+/g, ' ').trim()
      return [{ name: shown || name || '', address: address.toLowerCase() }]
    })
}
