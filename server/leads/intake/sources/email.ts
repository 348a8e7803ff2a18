// A portal's notification that was forwarded to an inbound-mail service, which posts it here. The services' contracts:
// https://www.twilio.com/docs/sendgrid/for-developers/parsing-email/inbound-email
// https://postmarkapp.com/developer/webhooks/inbound-webhook
// https://documentation.mailgun.com/docs/mailgun/user-manual/receive-forward-store/receive-http
import { firstOf, objectOf, withoutEntities, type ReadSource } from '../new-lead.ts'
import type { Source } from '../source.ts'

const TEXT = ['text', 'TextBody', 'body-plain', 'stripped-text', 'plain']
const HTML = ['html', 'HtmlBody', 'body-html', 'stripped-html']
const SUBJECT = ['subject', 'Subject']
const FROM = ['from', 'From', 'sender']
const REPLY_TO = ['ReplyTo', 'Reply-To', 'reply_to']
const ID = ['Message-Id', 'MessageID', 'message_id', 'message-id']

const LABEL = {
  name: /^(nome|nome completo|cliente|interessado|contato|name)$/,
  phone: /^(telefone|telefones|celular|fone|whatsapp|tel|phone|telefone celular|telefone de contato)$/,
  email: /^(e-?mail|correio)$/,
  message: /^(mensagem|message|comentario|comentarios|observacao)$/,
  listing:
    /^(codigo|cod|referencia|ref|codigo do imovel|codigo do anuncio|anuncio|id do anuncio|imovel codigo)$/,
  development: /^(empreendimento|lancamento)$/,
}

/** Of a value below its label: an e-mail is a stranger's, and may have a label in each of its lines. */
const MOST_LINES = 100

const PORTALS: readonly [RegExp, string][] = [
  [/vivareal/, 'Viva Real'],
  [/zapimoveis/, 'ZAP Imóveis'],
  [/grupozap|olx/, 'Grupo OLX'],
  [/imovelweb|navent/, 'ImovelWeb'],
  [/chavesnamao/, 'Chaves na Mão'],
]

const read: ReadSource = (body, settings) => {
  const mail = objectOf(body)
  const text = firstOf(mail, TEXT) ?? fromHtml(firstOf(mail, HTML) ?? '')
  const from = firstOf(mail, FROM) ?? ''
  const parsed = labelled(text)
  // Portals have an answer go to who asked.
  const replyTo =
    firstOf(mail, REPLY_TO) ?? headerOf(firstOf(mail, ['headers', 'message-headers']) ?? '', 'reply-to')
  const isAnswered = replyTo !== null && domainOf(replyTo) !== domainOf(from)
  // A forwarded message names the portal inside.
  const [, portal] =
    PORTALS.find(([domain]) => domain.test(`${from} ${text.slice(0, 2_000)}`.toLowerCase())) ?? []
  return [
    {
      name: parsed.name,
      phones: [parsed.phone, ...linked(firstOf(mail, HTML) ?? '')],
      email: parsed.email ?? (isAnswered ? replyTo : null),
      source: settings.source ?? portal ?? 'email',
      development: parsed.development,
      listing: parsed.listing,
      message: parsed.message,
      externalId:
        firstOf(mail, ID) ?? headerOf(firstOf(mail, ['headers', 'message-headers']) ?? '', 'message-id'),
      others: { assunto: firstOf(mail, SUBJECT) },
    },
  ]
}

type Labelled = Partial<Record<keyof typeof LABEL, string>>

/** 'Nome: Ana', or 'Nome' in one line and 'Ana' in the next; a message goes on until a line that is empty or has a label. */
function labelled(text: string): Labelled {
  const parsed: Labelled = {}
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.slice(0, 4_000).replace(/^[>\s*•-]+|(?<![\s*])[\s*]+$/g, ''))
  for (const [index, line] of lines.entries()) {
    const [, label = line, inLine = ''] = /^([^:]{1,40}):\s*\**\s*(.*)$/.exec(line) ?? []
    const what = labelOf(label)
    if (what === null || parsed[what] !== undefined) continue
    const next = lines.slice(index + 1, index + 1 + MOST_LINES)
    const value =
      what === 'message' ? paragraph(inLine, next) : inLine || (next.find((other) => other !== '') ?? '')
    if (value !== '' && labelOf(value.replace(/:.*$/s, '')) === null) parsed[what] = value
  }
  return parsed
}

function paragraph(inLine: string, next: readonly string[]): string {
  const start = inLine === '' ? next.findIndex((line) => line !== '') : 0
  const rest = start < 0 ? [] : next.slice(start)
  const end = rest.findIndex((line) => line === '' || labelOf(line.replace(/:.*$/, '')) !== null)
  return [inLine, ...(end < 0 ? rest : rest.slice(0, end))].filter(Boolean).join('\n')
}

function labelOf(label: string): keyof Labelled | null {
  const plain = label
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[*:.º°]/g, '')
    .trim()
    .toLowerCase()
  for (const what of Object.keys(LABEL) as (keyof typeof LABEL)[]) if (LABEL[what].test(plain)) return what
  return null
}

/** Numbers that a button or a link dials. */
const linked = (html: string): string[] =>
  [...html.matchAll(/(?:tel:|wa\.me\/|phone=)(\+?[\d%()\s.-]{10,25})/gi)].map(([, number = '']) =>
    number.replace(/%20|%2B/gi, ' '),
  )

const BREAKS = /<\/?(?:p|div|br|tr|li|h[1-6]|table)\b[^<>]*>/gi
function fromHtml(html: string): string {
  const text = html
    .replace(/<(style|script|head)\b[^]*?(?:<\/\1>|$)/gi, '')
    .replace(BREAKS, '\n')
    .replace(/<[^<>]*>/g, ' ')
  return withoutEntities(text).replace(/[^\S\n]+/g, ' ')
}

/** Of headers as lines, or as the JSON list of pairs that Mailgun sends. */
function headerOf(headers: string, name: string): string | null {
  const [, value] =
    new RegExp(`^${name}:\\s*(.+)$`, 'im').exec(headers) ??
    new RegExp(`\\["${name}",\\s*"([^"]+)"`, 'i').exec(headers) ??
    []
  return value?.trim() ?? null
}

const domainOf = (address: string) => /@([^\s>]+)/.exec(address)?.[1]?.toLowerCase() ?? ''

export const email: Source = {
  read,
  recognises: () => false,
  example: {
    contract: 'https://postmarkapp.com/developer/webhooks/inbound-webhook',
    contentType: 'application/json',
    body: {
      FromName: 'Imobiliária',
      From: 'contato@imobiliaria.example',
      To: 'leads@inbound.example',
      ReplyTo: 'marina@example.com',
      Subject: 'Enc: Você recebeu um novo contato',
      MessageID: '73e6d360-66eb-11e1-8e72-a8904824019b',
      Date: 'Fri, 20 Nov 2026 15:50:30 -0300',
      TextBody: [
        '---------- Mensagem encaminhada ----------',
        'De: Viva Real <nao-responda@vivareal.com.br>',
        '',
        'Você recebeu um novo contato!',
        '',
        'Nome: Marina Tavares',
        'E-mail: marina@example.com',
        'Telefone: (11) 95550-0142',
        'Código do imóvel: 4471',
        'Mensagem:',
        'Olá, tenho interesse.',
        'Podem me ligar?',
        '',
        'Central de atendimento: 0800 000 0000',
      ].join('\n'),
      HtmlBody: '',
      Headers: [],
      Attachments: [],
    },
  },
}
