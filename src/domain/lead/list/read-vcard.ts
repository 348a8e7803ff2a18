// Reads contacts that phones and WhatsApp export (vCard 2.1, 3.0, 4.0) as the lines of a list. A file may have many.

const BEGIN = /^\uFEFF?\s*BEGIN:VCARD\s*$/im

export const isVCard = (text: string) => /^\uFEFF?\s*BEGIN:VCARD\s*$/im.test(text.slice(0, 200))

type Property = { name: string; labels: string; value: string }

/** The first columns of the list; columns for phones and e-mails follow. */
const FIRST = ['Nome', 'Observação', 'Empresa'] as const

/** The first line has the titles, each further line a contact. Birthdays and addresses are left out. */
export function readVCards(text: string): string[][] {
  const cards = readCards(text)
  const most = (of: (card: Card) => readonly unknown[]) =>
    cards.reduce((sum, card) => Math.max(sum, of(card).length), 1)
  const columns = (title: string, count: number) =>
    Array.from({ length: count }, (_, n) => (n === 0 ? title : `${title} ${n + 1}`))
  const phones = most((card) => card.phones)
  const emails = most((card) => card.emails)
  return [
    [...FIRST, ...columns('Telefone', phones), ...columns('E-mail', emails)],
    ...cards.map((card) => [
      card.name,
      card.note,
      card.company,
      ...Array.from({ length: phones }, (_, n) => card.phones[n] ?? ''),
      ...Array.from({ length: emails }, (_, n) => card.emails[n] ?? ''),
    ]),
  ]
}

export const readCards = (text: string): Card[] => text.split(BEGIN).slice(1).map(readCard)

export type Card = { name: string; note: string; company: string; phones: string[]; emails: string[] }

function readCard(text: string): Card {
  const properties = readProperties(text.split(/^END:VCARD\s*$/im)[0] ?? '')
  const valuesOf = (name: string) => properties.filter((one) => one.name === name)
  const first = (name: string) => valuesOf(name)[0]?.value ?? ''
  const textOf = (name: string) => unescaped(first(name)).trim()
  const formatted = textOf('FN')
  return {
    // Some programs write the number, or nothing, as display name; then the structured name is used.
    name: formatted !== '' && !/^[\d\s()+.-]+$/.test(formatted) ? formatted : structuredName(first('N')),
    note: valuesOf('NOTE')
      .map(({ value }) => unescaped(value).trim())
      .join('\n'),
    company: unescaped(first('ORG')).replace(/;+$/, '').trim(),
    phones: valuesOf('TEL')
      .filter(({ labels }) => !/fax|pager|modem/i.test(labels))
      .toSorted((a, b) => phoneOrder(a) - phoneOrder(b))
      .map(phoneOf),
    emails: valuesOf('EMAIL').map(({ value }) =>
      unescaped(value)
        .replace(/^mailto:/i, '')
        .trim(),
    ),
  }
}

/** Sorts the numbers: the one that WhatsApp marks as its own first, then other mobiles. */
const phoneOrder = ({ labels }: Property) =>
  /waid=/i.test(labels) ? 0 : /cell|mobile|iphone/i.test(labels) ? 1 : 2

function phoneOf({ labels, value }: Property): string {
  const written = unescaped(value)
    .replace(/^tel:/i, '')
    .replace(/;ext=.*$/i, '')
    .trim()
  const atWhatsApp = /waid=(\d{8,15})/i.exec(labels)?.[1]
  return /\d/.test(written) || atWhatsApp === undefined ? written : `+${atWhatsApp}`
}

/** 'Teste;Íris;Maria;Dra.;' becomes 'Íris Maria Teste'. */
function structuredName(value: string): string {
  const [family = '', given = '', more = ''] = value.split(/(?<!\\);/).map((part) => unescaped(part).trim())
  return [given, more, family].filter((part) => part !== '').join(' ')
}

const unescaped = (value: string) =>
  value.replace(/\\([nN,;:\\])/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign))

const PROPERTY = /^(?:[\w-]+\.)?([\w-]+)((?:;(?:[^":;]|"[^"]*")*)*):(.*)$/s

function readProperties(card: string): Property[] {
  return unfold(card).flatMap((line) => {
    const [, name, labels = '', value = ''] = PROPERTY.exec(line) ?? []
    if (name === undefined) return []
    return [
      {
        name: name.toUpperCase(),
        labels,
        value: isQuoted(labels) ? fromQuotedPrintable(value, labels) : value,
      },
    ]
  })
}

const isQuoted = (labels: string) => /;(?:encoding=)?quoted-printable(?:;|$)/i.test(labels)

/**
 * Joins folded lines. A line that begins with a blank continues the previous one. A quoted-printable line that ends
 * with = continues on the next.
 */
function unfold(card: string): string[] {
  const lines: string[] = []
  let isOpen = false
  for (const line of card.split(/\r\n|\n|\r/)) {
    const last = lines.length - 1
    if (isOpen) lines[last] = lines[last]!.slice(0, -1) + line
    else if (/^[ \t]/.test(line) && last >= 0) lines[last] += line.slice(1)
    else lines.push(line)
    const current = lines.at(-1) ?? ''
    isOpen = current.endsWith('=') && isQuoted(current.slice(0, Math.max(0, current.indexOf(':'))))
  }
  return lines
}

function fromQuotedPrintable(value: string, labels: string): string {
  const bytes = value
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  if (/[^\0-\u00ff]/.test(bytes)) return value
  const charset = /charset="?([\w-]+)/i.exec(labels)?.[1] ?? 'utf-8'
  const raw = Uint8Array.from(bytes, (letter) => letter.charCodeAt(0))
  try {
    return new TextDecoder(charset, { fatal: true }).decode(raw)
  } catch {
    return new TextDecoder('windows-1252').decode(raw)
  }
}
