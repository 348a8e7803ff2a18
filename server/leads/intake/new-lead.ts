// Turns the fields that a source reports into a lead: cleaned, cut to length, with the most complete of its
// phones.
import { cleanText, cutText } from '#domain/clean-text.ts'
import { PortalError } from '#domain/errors.ts'
import { storedNumber } from '#domain/phone/number-key.ts'
import { type NumberFault, numbersIn, readNumbers } from '#domain/phone/read.ts'
import { clicksIn } from './reading/clicks.ts'

/** The argument of portal.take_lead. */
export type NewLead = {
  name: string | null
  /** The number in the form of portal.shown_number; null: the lead has only an e-mail. */
  number: string | null
  /** Further numbers of the person, in the form of `number`. */
  numbers?: readonly string[]
  /** The e-mail address in lower case. */
  email: string | null
  source: string
  campaign: string | null
  development: string | null
  /** Code of the advertisement; the agency's own code if the source reports it. */
  listing: string | null
  message: string | null
  /** All other values of the body: utm, click ids, answers. */
  fields: Record<string, string>
  externalId: string | null
  consentAt: string | null
  consentText: string | null
  /** True: the source tests its connection. The body is parsed like any other, but no lead is created. */
  isTest: boolean
}

/** Defaults for a key's leads, and the paths of fields in a foreign body. */
export type KeySettings = {
  source?: string | undefined
  campaign?: string | undefined
  development?: string | undefined
  /** Where a body has each of our fields, such as `number` in 'cliente.telefones.0'. */
  mapping?: Partial<Record<Reported, string | undefined>> | undefined
  /** Origins of pages that may send, such as 'https://imobiliaria.example'. */
  origins?: readonly string[] | undefined
  /** The developments of Meta's forms, by form id. */
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

/** The fields as a source reports them, unchecked. */
export type ParsedLead = Partial<Record<Exclude<Reported, 'number'>, unknown>> & {
  /** All values that may be a phone. A mobile is preferred. */
  phones: readonly unknown[]
  /** The area code, if the source reports it apart from the phone. */
  areaCode?: unknown
  /** All other fields, by name. */
  others?: Fields
  isTest?: boolean
}

export type Fields = Record<string, unknown>
/** Pure: parses a body into the leads it contains. Raises UnreadableLead if the whole body is invalid. */
export type ReadSource = (body: unknown, settings: KeySettings, nowMs: number) => ParsedLead[]

/**
 * Why no lead can be made of a body: `message` for the person who fills in the form, `summary` for the
 * administrator.
 */
export class UnreadableLead extends PortalError {
  readonly summary: string
  /** The name that the form has for the invalid field. */
  readonly field: string | null
  /** A machine sent it, so nobody can correct the form. */
  readonly isRobot: boolean
  /** True: the body was parsed but contains no lead. It is a bounce, a newsletter or a deleted deal. */
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

const MAX_LETTERS = {
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

/** Raises UnreadableLead without a phone or an e-mail; long values are cut. */
export function toNewLead(parsed: ParsedLead, settings: KeySettings, nowMs: number): NewLead {
  const word = (what: keyof typeof MAX_LETTERS) => cut(textOf(parsed[what]), MAX_LETTERS[what])
  const phones = numbersIn(parsed.phones, parsed.areaCode)
  const [number = null, ...numbers] = phones.numbers.map(({ e164 }) => storedNumber(e164))
  const email = EMAIL.exec((textOf(parsed.email) ?? '').slice(0, 1_000))?.[0].toLowerCase() ?? null
  const isReachable = number !== null || (email !== null && email.length <= MAX_LETTERS.email)
  // A test needs no valid phone.
  if (!isReachable && parsed.isTest !== true) throw noNumber(phones.fault ?? 'empty', parsed.others)
  return {
    name: cut(plainName(parsed.name), MAX_LETTERS.name),
    number,
    numbers,
    email: email !== null && email.length <= MAX_LETTERS.email ? email : null,
    source: word('source') ?? settings.source ?? 'form',
    campaign: word('campaign') ?? settings.campaign ?? null,
    development: word('development') ?? settings.development ?? null,
    listing: word('listing'),
    message: word('message'),
    // A partial phone reaches nobody, but an administrator may complete it; an extension belongs to its
    // number.
    fields: {
      ...clicksIn({ campaign: parsed.campaign, ...parsed.others }),
      ...toFields({ ...parsed.others, ...(phones.rest !== '' && { telefone: phones.rest }) }),
    },
    externalId: word('externalId'),
    consentAt: consentAt(parsed.consentAt, parsed.consent, nowMs),
    consentText: word('consentText'),
    isTest: parsed.isTest ?? false,
  }
}

const cut = (text: string | null, most: number) => (text === null ? null : cutText(text, most).trimEnd())

/** Text that the database accepts, trimmed; null for an empty value or an object. */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null
  return cleanText(String(value)).trim() || null
}

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : []

/** Raises UnreadableLead for a body that is no object. */
export function objectOf(body: unknown): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw noBody()
  return body as Fields
}

/** The value at a path such as 'cliente.telefones.0'. */
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

export const without = (body: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))

/** Names are shown in many places, so HTML tags and entities are removed. */
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

/** Decodes '&amp;', '&#39;' and similar entities. */
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

/** Lists and objects become JSON. */
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

/** The reported time of consent; a plain yes means now. */
function consentAt(when: unknown, consent: unknown, nowMs: number): string | null {
  const parsed = textOf(when)
  const ms = parsed !== null && /^\d{4}-\d{2}-\d{2}T/.test(parsed) ? Date.parse(parsed) : NaN
  // Some systems leave the field at year 1, which counts as absent.
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

/** If an unknown field holds a phone, the message suggests a mapping. */
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
