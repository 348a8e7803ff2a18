// What a source tells of somebody, made into a lead: clean, within its lengths, reached by the most complete of its phones.
import { cleanText, cutText } from '#domain/clean-text.ts'
import { PortalError } from '#domain/errors.ts'
import { storedNumber } from '#domain/phone/number-key.ts'
import { type NumberFault, numbersIn, readNumbers } from '#domain/phone/read.ts'

/** As portal.take_lead takes it. */
export type NewLead = {
  name: string | null
  /** As portal.shown_number gives it; null where only an e-mail was left. */
  number: string | null
  /** Further numbers of the same person, as `number`. */
  numbers?: readonly string[]
  /** In small letters. */
  email: string | null
  source: string
  campaign: string | null
  development: string | null
  /** The advertisement's code, by which the agency knows it where the source tells that one. */
  listing: string | null
  message: string | null
  /** Whatever else was told: utm, click ids, answers. */
  fields: Record<string, string>
  externalId: string | null
  consentAt: string | null
  consentText: string | null
  /** The source tries its connection: read like any other, and nobody comes in. */
  isTest: boolean
}

/** What a key says of its leads, and where they stand in a foreign payload. */
export type KeySettings = {
  source?: string | undefined
  campaign?: string | undefined
  development?: string | undefined
  /** Ours by theirs: 'cliente.telefones.0' for `number`. */
  mapping?: Partial<Record<Reported, string | undefined>> | undefined
  /** Pages whose browsers may send, as 'https://imobiliaria.example'. */
  origins?: readonly string[] | undefined
  /** Of Meta: developments by the id of the form. */
  developmentByForm?: Record<string, string> | undefined
}

export const REPORTED = [
  'name',
  'number',
  'email',
  'source',
  'campaign',
  'development',
  'listing',
  'message',
  'externalId',
  'consentAt',
  'consent',
  'consentText',
] as const
export type Reported = (typeof REPORTED)[number]

/** As a source puts it, nothing of it checked. */
export type ParsedLead = Partial<Record<Exclude<Reported, 'number'>, unknown>> & {
  /** All that may be a phone; a mobile counts before others. */
  phones: readonly unknown[]
  /** ParsedLead apart from the phone it belongs to. */
  areaCode?: unknown
  /** All else, by their names. */
  others?: Fields
  isTest?: boolean
}

export type Fields = Record<string, unknown>
/** Pure: a body as it was sent, to what it tells of each lead in it. Raises UnreadableLead where it is none as a whole. */
export type ReadSource = (body: unknown, settings: KeySettings, nowMs: number) => ParsedLead[]

/** Why no lead can be made of a body: `message` for who fills in a form, `summary` for who looks after the source. */
export class UnreadableLead extends PortalError {
  readonly summary: string
  /** The field to be mended, by its name in forms. */
  readonly field: string | null
  /** Nobody is there to mend it. */
  readonly isRobot: boolean
  /** It was read, and tells of nobody: a bounce, a newsletter, a deal that was deleted. */
  readonly isNoLead: boolean

  constructor(
    message: string,
    summary: string,
    more: { field?: string; isRobot?: boolean; isNoLead?: boolean } = {},
  ) {
    super('lead.invalid', message, { status: 422 })
    this.summary = summary
    this.field = more.field ?? null
    this.isRobot = more.isRobot ?? false
    this.isNoLead = more.isNoLead ?? false
  }
}

const MOST = {
  name: 200,
  email: 254,
  source: 60,
  campaign: 200,
  development: 120,
  listing: 120,
  message: 4_000,
  externalId: 200,
  consentText: 2_000,
}
export const MAX_FIELDS = 50
const MAX_FIELD = 2_000
const MAX_FIELD_NAME = 100
const EMAIL = /[^\s<>"'(),;:@]+@[^\s<>"'(),;:@]+\.[a-z]{2,}/i

/** Raises UnreadableLead where neither a phone nor an e-mail is in it; what is too long is cut. */
export function toNewLead(parsed: ParsedLead, settings: KeySettings, nowMs: number): NewLead {
  const word = (what: keyof typeof MOST) => cut(textOf(parsed[what]), MOST[what])
  const phones = numbersIn(parsed.phones, parsed.areaCode)
  const [number = null, ...numbers] = phones.numbers.map(({ e164 }) => storedNumber(e164))
  const email = EMAIL.exec((textOf(parsed.email) ?? '').slice(0, 1_000))?.[0].toLowerCase() ?? null
  const isReachable = number !== null || (email !== null && email.length <= MOST.email)
  // Of a trial nothing need be true.
  if (!isReachable && parsed.isTest !== true) throw noNumber(phones.fault ?? 'empty', parsed.others)
  return {
    name: cut(plainName(parsed.name), MOST.name),
    number,
    numbers,
    email: email !== null && email.length <= MOST.email ? email : null,
    source: word('source') ?? settings.source ?? 'form',
    campaign: word('campaign') ?? settings.campaign ?? null,
    development: word('development') ?? settings.development ?? null,
    listing: word('listing'),
    message: word('message'),
    // Half a phone is no way to reach anybody, and yet the other half may be found out; an extension belongs to its number.
    fields: toFields({ ...parsed.others, ...(phones.rest !== '' && { telefone: phones.rest }) }),
    externalId: word('externalId'),
    consentAt: consentAt(parsed.consentAt, parsed.consent, nowMs),
    consentText: word('consentText'),
    isTest: parsed.isTest ?? false,
  }
}

const cut = (text: string | null, most: number) => (text === null ? null : cutText(text, most).trimEnd())

/** Text as the database takes it, without spaces around; null for nothing and for what is no single value. */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null
  return cleanText(String(value)).trim() || null
}

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : []

/** Raises UnreadableLead for what has no named values. */
export function objectOf(body: unknown): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw noBody()
  return body as Fields
}

/** What stands at 'cliente.telefones.0'. */
export function at(body: unknown, path: string): unknown {
  let value = body
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = Reflect.get(value, step)
  }
  return value
}

/** The first of these names that has a value. */
export const firstOf = (parsed: Fields, names: readonly string[]): string | null =>
  names.map((name) => textOf(parsed[name])).find((text) => text !== null) ?? null

/** Without those named. */
export const without = (body: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))

/** A name is shown in many places; whoever writes HTML into it, or sends it escaped for HTML, is called by the words alone. */
function plainName(value: unknown): string | null {
  const text = textOf(value)
  if (text === null) return null
  return (
    cleanText(withoutEntities(text))
      .replace(/<[^<>]*>?/g, ' ')
      .replace(/\s+/g, ' ')
      .trim() || null
  )
}

const ENTITY: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** '&amp;', '&#39;' and their like as the letters they stand for. */
const withoutEntities = (html: string): string =>
  html.replace(
    /&(#?\w{1,8});/g,
    (whole, name: string) => ENTITY[name.toLowerCase()] ?? fromCode(name) ?? whole,
  )

function fromCode(name: string): string | null {
  const code = /^#x/i.test(name)
    ? Number.parseInt(name.slice(2), 16)
    : name.startsWith('#')
      ? Number(name.slice(1))
      : NaN
  return Number.isInteger(code) && code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : null
}

/** Lists and objects as JSON. */
function toFields(others: Fields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(others)
      .filter(([, value]) => (typeof value === 'object' ? value !== null : textOf(value) !== null))
      .slice(0, MAX_FIELDS)
      .map(([name, value]) => [
        cutText(cleanText(name), MAX_FIELD_NAME),
        cutText(textOf(value) ?? cleanText(JSON.stringify(value)), MAX_FIELD),
      ]),
  )
}

/** A time that is told counts; a plain yes is one of now. */
function consentAt(when: unknown, consent: unknown, nowMs: number): string | null {
  const parsed = textOf(when)
  const ms = parsed !== null && /^\d{4}-\d{2}-\d{2}T/.test(parsed) ? Date.parse(parsed) : NaN
  // Some leave the field as it was made, at the beginning of all years.
  if (ms >= 0) return new Date(Math.min(ms, nowMs)).toISOString()
  return isYes(consent) ? new Date(nowMs).toISOString() : null
}

const isYes = (consent: unknown) => /^(true|1|sim|yes|on|s)$/i.test(textOf(consent) ?? '')

const noBody = () =>
  new UnreadableLead('Envie os dados do lead como JSON ou formulário.', 'Não é JSON nem formulário')

function noNumber(fault: NumberFault, others: Fields | undefined): UnreadableLead {
  if (fault === 'empty') return noContact(others)
  if (fault === 'service')
    return new UnreadableLead(
      'Este telefone é de uma central de atendimento: informe o de uma pessoa, com DDD.',
      'Telefone de central (0800, 4004), e sem e-mail',
      { field: 'telefone' },
    )
  return new UnreadableLead(
    'O telefone não está completo: informe com DDD, por exemplo (11) 95550-0142.',
    'Telefone incompleto, e sem e-mail',
    { field: 'telefone' },
  )
}

/** A value that is a phone under a name that nobody knows is what a mapping mends. */
function noContact(others: Fields = {}): UnreadableLead {
  const found = Object.entries(others).find(
    ([, value]) =>
      /^[\d\s()+.-]{10,20}$/.test(textOf(value) ?? '') &&
      readNumbers(textOf(value) ?? '').numbers[0]?.country === 'BR',
  )
  const summary = found
    ? `Campo de telefone com nome novo: “${cleanText(found[0]).slice(0, 60)}”`
    : 'Sem telefone nem e-mail'
  return new UnreadableLead('Informe o telefone do lead.', summary, { field: 'telefone' })
}
