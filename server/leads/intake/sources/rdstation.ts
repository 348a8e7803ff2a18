// Conversions of RD Station Marketing, in the present form and in the one before it, which may hold several leads.
// The contracts: https://developers.rdstation.com/reference/webhooks-payload-copy
// and https://developers.rdstation.com/docs/como-migrar-webhooks
import {
  fieldsOf,
  firstOf,
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
]

export const isRdstation = (body: unknown): boolean => {
  const { event_type: type, leads } = fieldsOf(body)
  return (
    (textOf(type)?.startsWith('WEBHOOK.') ?? false) ||
    listOf(leads).some((lead) => 'last_conversion' in fieldsOf(lead))
  )
}

export const readRdstation: ReadSource = (body, settings) => {
  const parsed = objectOf(body)
  if (!Array.isArray(parsed['leads'])) return [readContact(parsed, settings)]
  if (parsed['leads'].length === 0)
    throw new UnreadableLead('Envie os dados do lead como JSON ou formulário.', 'Sem nenhum lead')
  return parsed['leads'].map((lead) => readConversion(fieldsOf(lead), settings))
}

/** `event_type`, `event_identifier`, `contact`. */
function readContact(parsed: Fields, settings: KeySettings): ParsedLead {
  const contact = fieldsOf(parsed['contact'])
  const event = textOf(parsed['event_identifier'])
  const convertedAt = textOf(parsed['event_timestamp']) ?? textOf(parsed['timestamp'])
  const isAgreed = listOf(contact['legal_bases'])
    .map(fieldsOf)
    .some(({ type, status }) => type === 'consent' && status === 'granted')
  return {
    name: contact['name'],
    phones: PHONES.map((name) => contact[name]),
    email: contact['email'],
    source: settings.source ?? SOURCE,
    campaign: settings.campaign ?? event,
    message: firstOf(contact, MESSAGES),
    // Who converts once more comes in once more.
    externalId: idOf([contact['uuid'], event, convertedAt]),
    consentAt: isAgreed ? convertedAt : null,
    others: without(contact, [...READ, ...PHONES, ...MESSAGES]),
  }
}

/** One of `leads`: what was last filled in stands in `last_conversion`. */
function readConversion(lead: Fields, settings: KeySettings): ParsedLead {
  const [last, before] = [lead['last_conversion'], lead['first_conversion']].map(fieldsOf) as [Fields, Fields]
  const [content, former] = [fieldsOf(last['content']), fieldsOf(before['content'])]
  const origin = fieldsOf(last['conversion_origin'])
  return {
    name: textOf(lead['name']) ?? content['nome'],
    phones: [lead, content, former].flatMap((part) => PHONES.map((name) => part[name])),
    email: textOf(lead['email']) ?? content['email_lead'],
    source: settings.source ?? SOURCE,
    campaign: settings.campaign ?? textOf(origin['campaign']) ?? content['identificador'],
    message: firstOf(content, MESSAGES),
    externalId: idOf([textOf(lead['uuid']) ?? lead['id'], content['identificador'], last['created_at']]),
    others: {
      ...without(lead, [...READ, ...PHONES]),
      ...fieldsOf(lead['custom_fields']),
      conversao: content['identificador'],
      utm_source: origin['source'] ?? last['source'],
      utm_medium: origin['medium'],
      utm_campaign: origin['campaign'],
    },
  }
}

/** Null where what tells one lead from another is not there. */
function idOf([person, ...event]: readonly unknown[]): string | null {
  const id = textOf(person)
  return id === null ? null : [id, ...event.map((part) => textOf(part) ?? '')].join(' ')
}
