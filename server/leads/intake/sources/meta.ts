// Leads of Meta Lead Ads with their answers, from its webhook, the Graph API or a connector. The contract:
// https://developers.facebook.com/docs/marketing-api/guides/lead-ads/retrieving
import {
  fieldsOf,
  listOf,
  objectOf,
  textOf,
  toNewLead,
  UnreadableLead,
  type Fields,
  type KeySettings,
  type NewLead,
  type ReadSource,
  type ParsedLead,
} from '../new-lead.ts'
import { type Answer, answersIn } from '../reading/answers.ts'
import { personIn } from '../reading/person.ts'
import type { Source } from '../source.ts'

/** One lead of a delivery; it has answers if a connector relays it. */
export type Leadgen = { leadgenId: string; value: Fields }

/** The leads of a delivery; a page's other events are ignored. */
export function readLeadgens(body: unknown): Leadgen[] {
  return listOf(fieldsOf(body)['entry']).flatMap((entry) =>
    listOf(fieldsOf(entry)['changes']).flatMap((change) => {
      const { field, value } = fieldsOf(change)
      const leadgenId = idOf(fieldsOf(value)['leadgen_id'])
      return field === 'leadgen' && leadgenId !== null ? [{ leadgenId, value: fieldsOf(value) }] : []
    }),
  )
}

export const hasAnswers = (value: Fields): boolean => listOf(value['field_data']).length > 0

const PLATFORMS: Record<string, string> = { fb: 'facebook', ig: 'instagram' }
/** Answers sent by Meta's tool for testing a form: https://developers.facebook.com/tools/lead-ads-testing */
const TEST_ANSWER = /^<test lead:|^test@(?:fb|meta)\.com$/i
/** The id in the webhook's "Test" delivery. */
const SAMPLE_ID = /^4{10,}\d?$/

/** Tells whether Meta only tests the connection. */
export const isSample = ({ leadgenId }: Leadgen): boolean => SAMPLE_ID.test(leadgenId)

/** A lead with its answers, from a delivery or the Graph API. Raises UnreadableLead. */
export const toLead = (leadgen: Leadgen, settings: KeySettings, nowMs: number): NewLead =>
  toNewLead(toParsedLead(leadgen, settings, nowMs), settings, nowMs)

function toParsedLead({ leadgenId, value }: Leadgen, settings: KeySettings, nowMs: number): ParsedLead {
  const answers = answersIn({ respostas: value['field_data'] })
  const person = personIn(answers)
  const form = idOf(value['form_id'])
  return {
    name: person.name,
    phones: person.phones,
    email: person.email,
    source: PLATFORMS[textOf(value['platform']) ?? ''] ?? 'facebook',
    campaign: value['campaign_name'],
    development: person.development ?? (form === null ? undefined : settings.developmentByForm?.[form]),
    listing: person.listing,
    message: person.message,
    externalId: leadgenId,
    // A person who sends a Meta form agrees to Meta's and the page's terms at that moment.
    consentAt: createdAt(value['created_time'], nowMs),
    consentText: ticked(value['custom_disclaimer_responses']),
    others: Object.fromEntries(
      answers.flatMap((answer) => (person.used.has(answer) ? [] : [answered(answer)])),
    ),
    isTest: answers.some(({ texts }) => texts.some((text) => TEST_ANSWER.test(text))),
  }
}

const answered = ({ label, texts }: Answer) => [label, texts.join(', ')] as const

/** Parses a connector's post: a delivery with answers, or one lead in the form of the Graph API. */
const read: ReadSource = (body, settings, nowMs) => {
  const parsed = objectOf(body)
  const id = idOf(parsed['leadgen_id'] ?? parsed['id'])
  const leadgens =
    hasAnswers(parsed) && id !== null ? [{ leadgenId: id, value: parsed }] : readLeadgens(parsed)
  if (leadgens.length > 0 && leadgens.every(isSample)) return [{ phones: [], isTest: true }]
  if (leadgens.length === 0 || !leadgens.every(({ value }) => hasAnswers(value)))
    throw new UnreadableLead(
      'Envie os dados do lead como JSON ou formulário.',
      'Sem as respostas do formulário',
    )
  return leadgens.map((leadgen) => toParsedLead(leadgen, settings, nowMs))
}

const recognises = (body: unknown): boolean => hasAnswers(fieldsOf(body)) || readLeadgens(body).length > 0

function createdAt(created: unknown, nowMs: number): string {
  // Epoch seconds in deliveries, ISO 8601 with +0000 from the Graph API.
  const ms = typeof created === 'number' ? created * 1000 : Date.parse(textOf(created) ?? '')
  return new Date(ms >= 0 ? Math.min(ms, nowMs) : nowMs).toISOString()
}

function ticked(responses: unknown): string | null {
  const keys = listOf(responses).flatMap((response) => {
    const { checkbox_key: key, is_checked: isChecked } = fieldsOf(response)
    return typeof key === 'string' && (isChecked === true || isChecked === '1') ? [key] : []
  })
  return keys.length > 0 ? keys.join(', ') : null
}

/** Digits. A long number would lose precision in JSON, but Meta sends those as text. */
function idOf(value: unknown): string | null {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  return /^\d{1,40}$/.test(text) ? text : null
}

export const meta: Source = {
  read,
  recognises,
  example: {
    contract: 'https://developers.facebook.com/docs/marketing-api/guides/lead-ads/retrieving',
    contentType: 'application/json',
    body: {
      id: '1234567890123456',
      created_time: '2026-11-20T09:30:00+0000',
      form_id: '987654321098765',
      campaign_name: 'Lançamento',
      platform: 'ig',
      field_data: [
        { name: 'full_name', values: ['Marina Tavares'] },
        { name: 'phone_number', values: ['+5511955500142'] },
        { name: 'email', values: ['marina@example.com'] },
        { name: 'quantos_quartos?', values: ['2', '3'] },
      ],
    },
  },
  preset: {
    name: 'Meta',
    what: 'Instagram e Facebook',
    initials: 'ME',
    hue: 'qualified',
    place: 'Cadastre este endereço na Meta como retorno do webhook de leadgen da página',
  },
}
