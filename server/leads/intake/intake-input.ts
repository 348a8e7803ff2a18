// What a form or a portal tells of somebody, read and checked before anything is kept.
import { cleanText } from '#domain/clean-text.ts'
import { PortalError } from '#domain/errors.ts'
import { dialledDigits } from '#domain/phone.ts'

/** As portal.take_lead takes it. */
export type NewLead = {
  name: string | null
  /** Digits with country code. */
  number: string
  source: string
  campaign: string | null
  development: string | null
  message: string | null
  /** Whatever else was told. */
  fields: Record<string, string>
  externalId: string | null
  consentAt: string | null
  consentText: string | null
}

/** What a key says of its leads, and where they stand in a foreign payload. */
export type KeySettings = {
  source?: string | undefined
  campaign?: string | undefined
  development?: string | undefined
  /** Ours by theirs: 'cliente.telefones.0' for `number`. */
  mapping?: Partial<Record<Reported, string | undefined>> | undefined
  /** Of Meta: developments by the id of the form. */
  developmentByForm?: Record<string, string> | undefined
}

const REPORTED = [
  'name',
  'number',
  'source',
  'campaign',
  'development',
  'message',
  'externalId',
  'consentAt',
  'consent',
  'consentText',
] as const
export type Reported = (typeof REPORTED)[number]

/** The names by which forms call them; the first that is there counts. */
const NAMES: Record<Reported, readonly string[]> = {
  name: ['name', 'nome', 'full_name', 'fullName', 'nome_completo'],
  number: ['number', 'phone', 'telefone', 'celular', 'whatsapp', 'phone_number', 'phoneNumber', 'numero'],
  source: ['source', 'origem', 'utm_source'],
  campaign: ['campaign', 'campanha', 'utm_campaign'],
  development: ['development', 'empreendimento', 'imovel', 'produto'],
  message: ['message', 'mensagem', 'comentario', 'observacao'],
  externalId: ['externalId', 'external_id', 'lead_id', 'leadId'],
  consentAt: ['consentAt', 'consent_at', 'consentimento_em'],
  consent: ['consent', 'consentimento', 'aceite', 'lgpd'],
  consentText: ['consentText', 'consent_text', 'consentimento_texto'],
}

const MOST = {
  name: 200,
  source: 60,
  campaign: 200,
  development: 120,
  message: 4_000,
  externalId: 200,
  consentText: 2_000,
}
const MOST_FIELDS = 50
const MOST_FIELD = 2_000
const MOST_FIELD_NAME = 100
const DEFAULT_SOURCE = 'form'

/** Raises `lead.invalid`, 422, which says what is wrong. */
export function readLead(body: unknown, settings: KeySettings, nowMs: number): NewLead {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw refusal('Envie os dados do lead como JSON ou formulário.')
  const told = new Map(REPORTED.map((what) => [what, valueOf(body, what, settings.mapping?.[what])]))
  const word = (what: keyof typeof MOST) => limited(textOf(told.get(what)), what)
  return {
    name: word('name'),
    number: readNumber(textOf(told.get('number'))),
    source: (word('source') ?? settings.source ?? DEFAULT_SOURCE).toLowerCase(),
    campaign: word('campaign') ?? settings.campaign ?? null,
    development: word('development') ?? settings.development ?? null,
    message: word('message'),
    fields: readFields(body, settings),
    externalId: word('externalId'),
    consentAt: readConsent(told.get('consentAt'), told.get('consent'), nowMs),
    consentText: word('consentText'),
  }
}

/** As it is dialled from anywhere; raises `lead.invalid`. */
export function readNumber(text: string | null): string {
  if (text === null) throw refusal('Informe o telefone do lead.')
  const number = dialledDigits(text) ?? ''
  if (number.length < 10 || number.length > 15)
    throw refusal('O telefone não está completo: informe com DDD, por exemplo (11) 95550-0142.')
  return number
}

function valueOf(body: object, what: Reported, path: string | undefined): unknown {
  if (path !== undefined) return at(body, path)
  return NAMES[what].map((name) => at(body, name)).find((value) => textOf(value) !== null)
}

function at(body: unknown, path: string): unknown {
  let value = body
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = Reflect.get(value, step)
  }
  return value
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null
  return cleanText(String(value)).trim() || null
}

function limited(text: string | null, what: keyof typeof MOST): string | null {
  if (text !== null && text.length > MOST[what])
    throw refusal(
      `O campo ${NAMES[what][1] ?? what} passa de ${MOST[what].toLocaleString('pt-BR')} caracteres.`,
    )
  return text
}

/** What nothing of ours was read from; lists and objects as JSON. */
function readFields(body: object, { mapping }: KeySettings): Record<string, string> {
  const read = new Set(
    REPORTED.flatMap((what) => {
      const path = mapping?.[what]
      return path === undefined ? NAMES[what] : [path.split('.')[0] ?? path]
    }),
  )
  const others = Object.entries(body).filter(
    ([name, value]) => !read.has(name) && value != null && value !== '',
  )
  if (others.length > MOST_FIELDS) throw refusal(`Envie no máximo ${MOST_FIELDS} campos livres.`)
  return Object.fromEntries(
    others.map(([name, value]) => [
      cleanText(name).slice(0, MOST_FIELD_NAME),
      (textOf(value) ?? cleanText(JSON.stringify(value))).slice(0, MOST_FIELD),
    ]),
  )
}

/** A time that is told counts; a plain yes is one of now. */
function readConsent(at: unknown, consent: unknown, nowMs: number): string | null {
  const told = textOf(at)
  if (told !== null) {
    const ms = /^\d{4}-\d{2}-\d{2}T/.test(told) ? Date.parse(told) : NaN
    if (Number.isNaN(ms)) throw refusal('Informe a data do consentimento como 2026-11-21T12:00:00Z.')
    return new Date(Math.min(ms, nowMs)).toISOString()
  }
  return /^(true|1|sim|yes|on|s)$/i.test(textOf(consent) ?? '') ? new Date(nowMs).toISOString() : null
}

const refusal = (message: string) => new PortalError('lead.invalid', message, { status: 422 })
