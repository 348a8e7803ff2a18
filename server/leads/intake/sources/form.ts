// A site's own form, and whatever calls its fields by common names; what Grupo OLX and the others send is known by its look.
import {
  at,
  MAX_FIELDS,
  objectOf,
  REPORTED,
  textOf,
  UnreadableLead,
  type Fields,
  type KeySettings,
  type ReadSource,
  type Reported,
} from '../new-lead.ts'
import { formatNumber } from '#domain/count.ts'
import { numbersIn } from '#domain/phone/read.ts'
import { isChavesnamao, readChavesnamao } from './chavesnamao.ts'
import { isGoogle, readGoogle } from './google.ts'
import { isImovelweb, readImovelweb } from './imovelweb.ts'
import { isOlx, readOlx } from './olx.ts'
import { isRdstation, readRdstation } from './rdstation.ts'

/** The names by which forms call them; the first that has a value counts. */
const NAMES: Record<Reported, readonly string[]> = {
  name: ['name', 'nome', 'full_name', 'fullName', 'nome_completo'],
  number: ['number', 'phone', 'telefone', 'celular', 'whatsapp', 'phone_number', 'phoneNumber', 'numero'],
  email: ['email', 'e-mail', 'e_mail', 'Email', 'mail', 'email_address'],
  source: ['source', 'origem', 'utm_source'],
  campaign: ['campaign', 'campanha', 'utm_campaign'],
  development: ['development', 'empreendimento', 'imovel', 'produto'],
  listing: ['listing', 'codigo', 'codigo_imovel', 'referencia', 'ref_imovel'],
  message: ['message', 'mensagem', 'comentario', 'observacao'],
  externalId: ['externalId', 'external_id', 'lead_id', 'leadId'],
  consentAt: ['consentAt', 'consent_at', 'consentimento_em'],
  consent: ['consent', 'consentimento', 'aceite', 'lgpd'],
  consentText: ['consentText', 'consent_text', 'consentimento_texto'],
}
const AREA_CODE = ['ddd', 'area_code', 'areaCode', 'codigo_area']
/** A phone under another name, as celular_2 or cliente.fone. */
const LIKE_PHONE = /(?:phone|fone|celular|whats|mobile)|^tel$/i
const LIKE_EMAIL = /e-?mail/i
const DEEPEST = 5
const MAX_SEEN = 2_000
/** Who writes more than this in a form is told so, and can mend it. */
const MOST = { name: 200, message: 4_000, development: 120, campaign: 200 } as const

/** ImovelWeb before Grupo OLX, whose names one of its forms has beside its own. */
const KNOWN: readonly [(body: unknown) => boolean, ReadSource][] = [
  [isImovelweb, readImovelweb],
  [isOlx, readOlx],
  [isChavesnamao, readChavesnamao],
  [isGoogle, readGoogle],
  [isRdstation, readRdstation],
]

export const readForm: ReadSource = (body, settings, nowMs) => {
  const { mapping } = settings
  const [, readKnown] = (mapping === undefined && KNOWN.find(([isTheirs]) => isTheirs(body))) || []
  if (readKnown) return readKnown(body, settings, nowMs)
  const form = objectOf(body)
  checkLengths(form, settings)
  const parsed = Object.fromEntries(REPORTED.map((what) => [what, valueOf(form, what, mapping?.[what])]))
  const when = textOf(parsed['consentAt'])
  if (when !== null && Number.isNaN(Date.parse(/^\d{4}-\d{2}-\d{2}T/.test(when) ? when : '')))
    throw new UnreadableLead(
      'Informe a data do consentimento como 2026-11-21T12:00:00Z.',
      'Data do consentimento ilegível',
      { field: 'consentimento' },
    )
  const others = othersOf(form, settings)
  if (Object.keys(others).length > MAX_FIELDS)
    throw new UnreadableLead(`Envie no máximo ${MAX_FIELDS} campos livres.`, 'Campos demais')
  const { number: _, ...read } = parsed
  const mapped = mapping?.number === undefined ? undefined : at(form, mapping.number)
  return [
    {
      ...read,
      source: textOf(read['source'])?.toLowerCase(),
      email: read['email'] ?? likeOf(form, LIKE_EMAIL)[0],
      // Where the source was told to look there may be none this time.
      phones:
        numbersIn([mapped]).numbers.length === 0
          ? [mapped, ...NAMES.number.map((name) => form[name]), ...likeOf(form, LIKE_PHONE)]
          : [mapped],
      areaCode: AREA_CODE.map((name) => form[name]).find((value) => textOf(value) !== null),
      others,
    },
  ]
}

function valueOf(form: Fields, what: Reported, path: string | undefined): unknown {
  const mapped = path === undefined ? undefined : at(form, path)
  if (textOf(mapped) !== null) return mapped
  return NAMES[what]
    .map((name) => (Object.hasOwn(form, name) ? form[name] : undefined))
    .find((value) => textOf(value) !== null)
}

/** All values whose name is like that, wherever they stand. */
function likeOf(form: Fields, like: RegExp): unknown[] {
  const found: unknown[] = []
  let seen = 0
  const visit = (value: unknown, depth: number) => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value) as [string, unknown][]) {
      if (++seen > MAX_SEEN) return
      if (like.test(name) && (textOf(inner) !== null || Array.isArray(inner))) found.push(inner)
      else if (depth < DEEPEST) visit(inner, depth + 1)
    }
  }
  visit(form, 0)
  return found
}

/** What nothing of ours was read from. */
function othersOf(form: Fields, { mapping }: KeySettings): Fields {
  const read = new Set([
    ...AREA_CODE,
    ...REPORTED.flatMap((what) => {
      const path = mapping?.[what]
      return path === undefined ? NAMES[what] : [path.split('.')[0] ?? path]
    }),
  ])
  return Object.fromEntries(
    Object.entries(form).filter(
      ([name, value]) =>
        value != null &&
        value !== '' &&
        !(read.has(name) && (typeof value !== 'object' || mapping !== undefined)),
    ),
  )
}

function checkLengths(form: Fields, { mapping }: KeySettings) {
  for (const [what, most] of Object.entries(MOST) as [keyof typeof MOST, number][]) {
    const text = textOf(valueOf(form, what, mapping?.[what]))
    const field = NAMES[what][1] ?? what
    if (text !== null && text.length > most)
      throw new UnreadableLead(
        `O campo ${field} passa de ${formatNumber(most)} caracteres.`,
        `Campo ${field} longo demais`,
        { field },
      )
  }
}
