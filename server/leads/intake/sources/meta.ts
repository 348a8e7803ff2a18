// Leads of Meta Lead Ads with their answers: as its webhook, the Graph API or a connector tells them.
// The contract: https://developers.facebook.com/docs/marketing-api/guides/lead-ads/retrieving
import {
  fieldsOf,
  listOf,
  objectOf,
  textOf,
  toNewLead,
  UnreadableLead,
  without,
  type Fields,
  type KeySettings,
  type NewLead,
  type ReadSource,
  type ParsedLead,
} from '../new-lead.ts'

/** One lead of a delivery; its answers where a connector relays them. */
export type Leadgen = { leadgenId: string; value: Fields }

/** The leads of a delivery; what else a page tells of is left alone. */
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
const NAME = ['full_name', 'nome_completo', 'name', 'nome']
const PHONES = ['phone_number', 'telefone', 'whatsapp_number', 'phone', 'celular', 'work_phone_number']
const EMAILS = ['email', 'e-mail', 'work_email']
const DEVELOPMENTS = ['development', 'empreendimento', 'imovel', 'produto']
const MESSAGES = ['message', 'mensagem', 'comentario']

/** A lead with its answers, from a delivery or from the Graph API. Raises UnreadableLead. */
export const toLead = (leadgen: Leadgen, settings: KeySettings, nowMs: number): NewLead =>
  toNewLead(toParsedLead(leadgen, settings, nowMs), settings, nowMs)

function toParsedLead({ leadgenId, value }: Leadgen, settings: KeySettings, nowMs: number): ParsedLead {
  const answers = Object.fromEntries(
    listOf(value['field_data']).flatMap((field) => {
      const { name, values } = fieldsOf(field)
      const given = listOf(values)
        .flatMap((value) => textOf(value) ?? [])
        .join(', ')
      return typeof name === 'string' && given !== '' ? [[name, given]] : []
    }),
  )
  const form = idOf(value['form_id'])
  const names = [answers['first_name'], answers['last_name']].filter(Boolean).join(' ')
  const of = (wanted: readonly string[]) =>
    wanted.map((name) => answers[name]).find((text) => text !== undefined)
  return {
    name: of(NAME) ?? names,
    phones: PHONES.map((name) => answers[name]),
    email: of(EMAILS),
    source: PLATFORMS[textOf(value['platform']) ?? ''] ?? 'facebook',
    campaign: value['campaign_name'],
    development: of(DEVELOPMENTS) ?? (form === null ? undefined : settings.developmentByForm?.[form]),
    message: of(MESSAGES),
    externalId: leadgenId,
    // Whoever sends such a form has agreed to Meta's and the page's terms at that moment.
    consentAt: createdAt(value['created_time'], nowMs),
    consentText: ticked(value['custom_disclaimer_responses']),
    others: without(answers, [...NAME, ...PHONES, ...EMAILS, ...DEVELOPMENTS, ...MESSAGES]),
  }
}

/** What a connector posts with a key: a delivery with its answers, or one lead as the Graph API has it. */
export const readMeta: ReadSource = (body, settings, nowMs) => {
  const parsed = objectOf(body)
  const id = idOf(parsed['leadgen_id'] ?? parsed['id'])
  const leadgens =
    hasAnswers(parsed) && id !== null ? [{ leadgenId: id, value: parsed }] : readLeadgens(parsed)
  if (leadgens.length === 0 || !leadgens.every(({ value }) => hasAnswers(value)))
    throw new UnreadableLead(
      'Envie os dados do lead como JSON ou formulário.',
      'Sem as respostas do formulário',
    )
  return leadgens.map((leadgen) => toParsedLead(leadgen, settings, nowMs))
}

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

/** Digits; a number in JSON may be too long to be exact, but then Meta sends text. */
function idOf(value: unknown): string | null {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  return /^\d{1,40}$/.test(text) ? text : null
}
