// Conversions of RD Station Marketing, in the current and the previous format (which may hold several leads),
// and deals of RD Station CRM. The contracts:
// https://developers.rdstation.com/reference/webhooks-payload-copy,
// https://developers.rdstation.com/docs/como-migrar-webhooks and
// https://developers.rdstation.com/reference/crm-v1-webhooks
import { numbersIn } from '#domain/phone/read.ts'
import {
  fieldsOf,
  listOf,
  objectOf,
  textOf,
  UnreadableLead,
  without,
  type Fields,
  type KeySettings,
  type ReadSource,
  type ParsedLead,
} from '../new-lead.ts'
import { answersIn } from '../reading/answers.ts'
import { personIn } from '../reading/person.ts'
import type { Source } from '../source.ts'

const SOURCE = 'RD Station'
const PHONES = ['mobile_phone', 'personal_phone', 'telefone', 'celular', 'phone']
const MESSAGES = ['mensagem', 'message', 'cf_mensagem', 'cf_message', 'observacao']
const READ = [
  'uuid',
  'id',
  'email',
  'name',
  'first_conversion',
  'last_conversion',
  'legal_bases',
  'funnel',
  'custom_fields',
  ...PHONES,
  ...MESSAGES,
]
const DEAL_READ = [
  'id',
  'name',
  'contacts',
  'campaign',
  'deal_source',
  'deal_stage',
  'deal_pipeline',
  'user',
  'deal_custom_fields',
  'organization',
  'deal_products',
  'next_task',
  'phones',
  'emails',
  'contact',
]

const isDeal = (body: unknown) => {
  const { event_name: event, document } = fieldsOf(body)
  return textOf(event)?.startsWith('crm_') === true || 'deal_stage' in fieldsOf(document)
}

const recognises = (body: unknown): boolean => {
  const { event_type: type, leads } = fieldsOf(body)
  return (
    isDeal(body) ||
    (textOf(type)?.startsWith('WEBHOOK.') ?? false) ||
    listOf(leads).some((lead) => 'last_conversion' in fieldsOf(lead))
  )
}

const read: ReadSource = (body, settings) => {
  const parsed = objectOf(body)
  if (isDeal(parsed)) return [readDeal(parsed, settings)]
  if (!Array.isArray(parsed['leads'])) return [readContact(parsed, settings)]
  if (parsed['leads'].length === 0)
    throw new UnreadableLead('Envie os dados do lead como JSON ou formulário.', 'Sem nenhum lead')
  return parsed['leads'].map((lead) => readConversion(fieldsOf(lead), settings))
}

/** Format with `event_type`, `event_identifier` and `contact`. */
function readContact(parsed: Fields, settings: KeySettings): ParsedLead {
  const contact = fieldsOf(parsed['contact'])
  const event = textOf(parsed['event_identifier'])
  const convertedAt = textOf(parsed['event_timestamp']) ?? textOf(parsed['timestamp'])
  const isAgreed = listOf(contact['legal_bases'])
    .map(fieldsOf)
    .some(({ type, status }) => type === 'consent' && status === 'granted')
  const person = personOf(contact)
  return {
    name: contact['name'],
    phones: [...PHONES.map((name) => contact[name]), ...person.phones],
    email: contact['email'],
    source: settings.source ?? SOURCE,
    campaign: settings.campaign ?? event,
    message: person.message,
    // A second conversion counts as a second arrival.
    externalId: idOf([contact['uuid'], event, convertedAt]),
    consentAt: isAgreed ? convertedAt : null,
    others: without(contact, READ),
  }
}

/** Reads one of `leads`: `last_conversion` is newer than the lead's own fields. */
function readConversion(lead: Fields, settings: KeySettings): ParsedLead {
  const [last, before] = [lead['last_conversion'], lead['first_conversion']].map(fieldsOf) as [Fields, Fields]
  const [content, former] = [fieldsOf(last['content']), fieldsOf(before['content'])]
  const newest = personOf(content)
  const kept = PHONES.map((name) => lead[name])
  const phones = [newest.phones, kept, personOf(former).phones]
  const origin = fieldsOf(last['conversion_origin'])
  return {
    name: textOf(lead['name']) ?? newest.name,
    phones: phones.find((some) => numbersIn(some).numbers.length > 0) ?? phones.flat(),
    email: textOf(lead['email']) ?? newest.email,
    source: settings.source ?? SOURCE,
    campaign: settings.campaign ?? textOf(origin['campaign']) ?? content['identificador'],
    message: newest.message,
    externalId: idOf([textOf(lead['uuid']) ?? lead['id'], content['identificador'], last['created_at']]),
    others: {
      ...without(lead, READ),
      ...fieldsOf(lead['custom_fields']),
      conversao: content['identificador'],
      utm_source: origin['source'] ?? last['source'],
      utm_medium: origin['medium'],
      utm_campaign: origin['campaign'],
    },
  }
}

/**
 * Format with `event_name` and `document`: the person is the deal's contact, `name` is the deal's, and `user`
 * is the agency's.
 */
function readDeal(parsed: Fields, settings: KeySettings): ParsedLead {
  const deal = fieldsOf(parsed['document'])
  if (textOf(parsed['event_name'])?.endsWith('_deleted'))
    throw new UnreadableLead('Esta negociação foi excluída.', 'Negociação excluída no RD Station CRM', {
      isNoLead: true,
    })
  const contacts = [...listOf(deal['contacts']), deal['contact'], deal].map(fieldsOf)
  const contact = contacts.find((one) => listOf(one['phones']).length + listOf(one['emails']).length > 0)
  if (!contact)
    throw new UnreadableLead('Informe o telefone do lead.', 'Negociação do RD Station CRM sem contato')
  const custom = answersIn({ campos: deal['deal_custom_fields'] })
  const asked = personIn(custom)
  const named = (part: string) => fieldsOf(deal[part])['name']
  return {
    name: contact['name'],
    phones: [...listOf(contact['phones']).map((one) => fieldsOf(one)['phone']), ...asked.phones],
    email: listOf(contact['emails'])
      .map((one) => fieldsOf(one)['email'])
      .find((one) => textOf(one) !== null),
    source: settings.source ?? textOf(named('deal_source')) ?? SOURCE,
    campaign: settings.campaign ?? named('campaign'),
    development: asked.development,
    listing: asked.listing,
    message: asked.message,
    // Every change of a deal is posted again, for the same lead.
    externalId: textOf(deal['id']),
    others: {
      ...without(deal, DEAL_READ),
      negociacao: contact === deal ? null : deal['name'],
      etapa: named('deal_stage'),
      funil: named('deal_pipeline'),
      responsavel: named('user'),
      ...Object.fromEntries(
        custom.flatMap((answer) => (asked.used.has(answer) ? [] : [[answer.label, answer.texts.join(', ')]])),
      ),
    },
  }
}

const personOf = (fields: Fields) => personIn(answersIn(fields))

/** Null: the parts of the id are missing. */
function idOf([person, ...event]: readonly unknown[]): string | null {
  const id = textOf(person)
  return id === null ? null : [id, ...event.map((part) => textOf(part) ?? '')].join(' ')
}

export const rdstation: Source = {
  read,
  recognises,
  example: {
    contract: 'https://developers.rdstation.com/reference/webhooks-payload-copy',
    contentType: 'application/json',
    body: {
      event_type: 'WEBHOOK.CONVERTED',
      entity_type: 'CONTACT',
      event_identifier: 'mirante-do-lago',
      timestamp: '2026-11-20T14:09:02.724-03:00',
      event_timestamp: '2026-11-20T14:07:04.254-03:00',
      contact: {
        uuid: 'c2f3d2b3-7250-4d27-97f4-eef38be32f7f',
        email: 'marina@example.com',
        name: 'Marina Tavares',
        job_title: 'Arquiteta',
        website: null,
        personal_phone: '48 3025-2598',
        mobile_phone: '11 95550-0142',
        city: 'São Paulo',
        tags: ['lançamento'],
        cf_mensagem: 'Quero a tabela.',
        legal_bases: [{ category: 'communications', type: 'consent', status: 'granted' }],
        company: { name: 'Estúdio' },
        funnel: { name: 'default', lifecycle_stage: 'Lead', opportunity: false },
      },
    },
  },
  preset: {
    name: 'RD Station',
    what: 'Conversões do Marketing e negociações do CRM',
    initials: 'RD',
    hue: 'remarketing-sent',
    place: 'Crie no RD Station um webhook de conversão com este endereço, em Integrações',
  },
}
