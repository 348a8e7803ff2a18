// A site's own form, a form builder's, and any other sender: fields are recognised by their names.
import { formatNumber } from '#domain/count.ts'
import { numbersIn } from '#domain/phone/read.ts'
import {
  at,
  fieldsOf,
  listOf,
  MAX_FIELDS,
  objectOf,
  textOf,
  UnreadableLead,
  type Fields,
  type KeySettings,
  type ParsedLead,
  type Reported,
} from '../new-lead.ts'
import { type Answer, answersIn, withoutBrackets } from '../reading/answers.ts'
import { personIn, type Person } from '../reading/person.ts'
import type { Source } from '../source.ts'

/** Fields that are read only under fixed names. */
const FIXED = {
  externalId: ['externalId', 'external_id', 'lead_id', 'leadId'],
  consentAt: ['consentAt', 'consent_at', 'consentimento_em'],
  consent: ['consent', 'consentimento', 'aceite', 'lgpd'],
  consentText: ['consentText', 'consent_text', 'consentimento_texto'],
} as const
const AREA_CODE = ['ddd', 'area_code', 'areaCode', 'codigo_area']
/** The reader stops after this many: one more than a body may hold, so that the caller can refuse it. */
const MAX_PEOPLE = 501
const LISTS = /^(?:leads|entries|submissions|records|registros|rows|linhas|items|results|data)$/i
/** A longer entry is refused, so that the person can shorten it. */
const MAX_LETTERS = { name: 200, message: 4_000, development: 120, campaign: 200 } as const
/** The name that the page has for the invalid field. */
const FIELD = {
  name: 'nome',
  message: 'mensagem',
  development: 'empreendimento',
  campaign: 'campanha',
} as const

export const form: Source = {
  recognises: () => false,
  read: (body, settings) => {
    const given = objectOf(body)
    return ((settings.mapping === undefined && peopleIn(given)) || [given]).map((one) =>
      readOne(one, settings),
    )
  },
  example: {
    contract: 'docs/administrador.md',
    contentType: 'application/json',
    body: {
      nome: 'Marina Tavares',
      telefone: '(11) 95550-0142',
      email: 'marina@example.com',
      mensagem: 'Quero visitar no sábado.',
      codigo: '4471',
      utm_source: 'instagram',
      utm_campaign: 'Lançamento',
      gclid: 'EAIaIQobChMI',
      aceite: 'on',
    },
  },
  preset: {
    name: 'Site ou outro sistema',
    what: 'Formulário próprio, n8n, Make, planilhas',
    initials: 'Si',
    hue: 'arquivado',
    place: 'Envie cada lead por POST para este endereço, como formulário ou JSON',
  },
}

function readOne(given: Fields, settings: KeySettings): ParsedLead {
  const answers = answersIn(given)
  const person = personIn(answers)
  const value = (what: Reported): unknown => {
    const path = settings.mapping?.[what]
    const mapped = path === undefined ? undefined : at(given, path)
    return textOf(mapped) === null ? ownValue(what, given, person) : mapped
  }
  checkLengths(value)
  checkConsent(textOf(value('consentAt')))
  const mapped = settings.mapping?.number === undefined ? undefined : at(given, settings.mapping.number)
  const phones = numbersIn([mapped]).numbers.length === 0 ? [mapped, ...person.phones] : [mapped]
  const others = othersOf(given, { settings, answers, used: usedOf(person, phones) })
  if (Object.keys(given).length > MAX_FIELDS && Object.keys(others).length > MAX_FIELDS)
    throw new UnreadableLead(`Envie no máximo ${MAX_FIELDS} campos livres.`, 'Campos demais')
  return {
    name: value('name'),
    phones,
    areaCode: person.areaCode,
    email: value('email'),
    source: textOf(value('source'))?.toLowerCase() ?? settings.source ?? person.formName,
    campaign: value('campaign'),
    development: value('development'),
    listing: value('listing'),
    message: value('message'),
    externalId: value('externalId'),
    consentAt: value('consentAt'),
    consent: value('consent'),
    consentText: value('consentText'),
    others,
  }
}

/** The leads of a body with several, as a sheet or a CRM sends them. Null: there is only one. */
function peopleIn(given: Fields): readonly Fields[] | null {
  for (const [name, value] of Object.entries(given)) {
    const list = listOf(value)
    if (LISTS.test(name) && list.length > 1 && list.slice(0, 2).every(isSomebody))
      return list.slice(0, MAX_PEOPLE).map(fieldsOf)
  }
  return null
}

const isSomebody = (value: unknown) => {
  const { phones, email } = personIn(answersIn(fieldsOf(value)))
  return phones.length > 0 || email !== null
}

function ownValue(what: Reported, given: Fields, person: Person): unknown {
  if (what === 'number') return person.phones[0]
  if (Object.hasOwn(FIXED, what))
    return FIXED[what as keyof typeof FIXED]
      .map((name) => (Object.hasOwn(given, name) ? given[name] : undefined))
      .find((one) => textOf(one) !== null)
  return person[what as Exclude<Reported, 'number' | keyof typeof FIXED>]
}

/** Only phones of the lead count as read, so a second number stays visible among the other fields. */
function usedOf(person: Person, phones: readonly unknown[]): ReadonlySet<Answer> {
  const [number] = numbersIn(phones, person.areaCode).numbers
  return new Set(
    [...person.used].filter((answer) => {
      const isPhone = answer.texts.some((text) => person.phones.includes(text))
      const [other] = isPhone ? numbersIn(answer.texts, person.areaCode).numbers : []
      return other === undefined || other.e164 === number?.e164
    }),
  )
}

type Read = { settings: KeySettings; answers: readonly Answer[]; used: ReadonlySet<Answer> }

/** Fields that were not read; nested answers are listed by their question. */
function othersOf(given: Fields, { settings, answers, used }: Read): Fields {
  const mapped = new Set(Object.values(settings.mapping ?? {}).map((path) => path?.split('.')[0]))
  const fixed = new Set<string>([...AREA_CODE, ...Object.values(FIXED).flat()])
  const others: Fields = {}
  for (const [name, value] of Object.entries(withoutBrackets(given))) {
    if (value == null || value === '' || mapped.has(name) || (fixed.has(name) && typeof value !== 'object'))
      continue
    const inside = answers.filter(({ label, path }) => (path[0] ?? label) === name)
    if (!inside.some((answer) => used.has(answer))) others[name] = value
    else
      for (const answer of inside)
        if (!used.has(answer)) others[freeName(others, answer)] = answer.texts.join(', ')
  }
  return others
}

const freeName = (others: Fields, { label, path }: Answer): string =>
  Object.hasOwn(others, label) ? [...path, label].join(' ') : label

function checkLengths(value: (what: Reported) => unknown) {
  for (const [what, most] of Object.entries(MAX_LETTERS) as [keyof typeof MAX_LETTERS, number][]) {
    const text = textOf(value(what))
    const field = FIELD[what]
    if (text !== null && text.length > most)
      throw new UnreadableLead(
        `O campo ${field} passa de ${formatNumber(most)} caracteres.`,
        `Campo ${field} longo demais`,
        { field },
      )
  }
}

function checkConsent(when: string | null) {
  if (when !== null && Number.isNaN(Date.parse(/^\d{4}-\d{2}-\d{2}T/.test(when) ? when : '')))
    throw new UnreadableLead(
      'Informe a data do consentimento como 2026-11-21T12:00:00Z.',
      'Data do consentimento ilegível',
      { field: 'consentimento' },
    )
}
