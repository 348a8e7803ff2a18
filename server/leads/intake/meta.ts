// Webhooks of Meta Lead Ads: the challenge, the signature, and the leads in them.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readLead, type KeySettings, type NewLead } from './intake-input.ts'

/** What an administrator copies from Meta; `pageToken` reads leads that come by id only. */
export type MetaSecrets = Partial<Record<'appSecret' | 'verifyToken' | 'pageToken', string | undefined>>

/** One lead of a delivery; its answers where a connector relays them. */
export type Leadgen = { leadgenId: string; value: Fields }
export type Fields = Record<string, unknown>

/** The challenge to answer with, or null where the token is not ours. */
export function answerChallenge(
  query: { mode: string; token: string; challenge: string },
  { verifyToken }: MetaSecrets,
): string | null {
  const isOurs = verifyToken !== undefined && isSame(query.token, verifyToken)
  return query.mode === 'subscribe' && isOurs ? query.challenge : null
}

/** Whether `X-Hub-Signature-256` signs exactly these bytes. */
export function isSigned(bytes: Uint8Array, header: string | undefined, { appSecret }: MetaSecrets): boolean {
  if (appSecret === undefined || header === undefined) return false
  return isSame(header.toLowerCase(), `sha256=${createHmac('sha256', appSecret).update(bytes).digest('hex')}`)
}

/** Compares hashes, so that neither length nor content tells by its time. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHmac('sha256', 'compare').update(text).digest())
  return first !== undefined && second !== undefined && timingSafeEqual(first, second)
}

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
const NAMED: Record<string, string> = {
  full_name: 'name',
  phone_number: 'number',
  nome_completo: 'name',
  telefone: 'number',
}

/** A lead with its answers, from a delivery or from the Graph API. Raises `lead.invalid`. */
export function toLead({ leadgenId, value }: Leadgen, settings: KeySettings, nowMs: number): NewLead {
  const answers = Object.fromEntries(
    listOf(value['field_data']).flatMap((field) => {
      const { name, values } = fieldsOf(field)
      const given = Array.isArray(values) ? values.map(String).join(', ') : ''
      return typeof name === 'string' && given !== '' ? [[NAMED[name] ?? name, given]] : []
    }),
  )
  const form = idOf(value['form_id'])
  const names = [answers['first_name'], answers['last_name']].filter(Boolean).join(' ')
  const platform = PLATFORMS[String(value['platform'])] ?? 'facebook'
  return {
    ...readLead(
      {
        ...(names ? { name: names } : {}),
        ...answers,
        source: platform,
        ...(typeof value['campaign_name'] === 'string' ? { campaign: value['campaign_name'] } : {}),
        externalId: leadgenId,
      },
      {
        ...settings,
        mapping: undefined,
        development: (form === null ? undefined : settings.developmentByForm?.[form]) ?? settings.development,
      },
      nowMs,
    ),
    // Whoever sends such a form has agreed to Meta's and the page's terms at that moment.
    consentAt: consentAt(value['created_time'], nowMs),
    consentText: consentText(value['custom_disclaimer_responses']),
  }
}

function consentAt(created: unknown, nowMs: number): string {
  // Epoch seconds in deliveries, ISO 8601 with +0000 from the Graph API.
  const ms = typeof created === 'number' ? created * 1000 : Date.parse(String(created))
  return new Date(Number.isNaN(ms) ? nowMs : Math.min(ms, nowMs)).toISOString()
}

function consentText(responses: unknown): string | null {
  const ticked = listOf(responses).flatMap((response) => {
    const { checkbox_key: key, is_checked: isChecked } = fieldsOf(response)
    return typeof key === 'string' && (isChecked === true || isChecked === '1') ? [key] : []
  })
  return ticked.length > 0 ? ticked.join(', ') : null
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** Digits; a number in JSON may be too long to be exact, but then Meta sends text. */
function idOf(value: unknown): string | null {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  return /^\d{1,40}$/.test(text) ? text : null
}
