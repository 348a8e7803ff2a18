// Leads of a Google Ads lead form. The contract: https://developers.google.com/google-ads/webhook/docs/implementation
import { fieldsOf, listOf, objectOf, textOf, without, type ReadSource } from '../new-lead.ts'
import type { Source } from '../source.ts'

const READ = ['lead_id', 'user_column_data', 'api_version', 'google_key', 'is_test', 'gcl_id']
const ANSWERED = ['FULL_NAME', 'FIRST_NAME', 'LAST_NAME', 'PHONE_NUMBER', 'WORK_PHONE', 'EMAIL', 'WORK_EMAIL']

const isGoogle = (body: unknown): boolean => Array.isArray(fieldsOf(body)['user_column_data'])

const read: ReadSource = (body, settings) => {
  const parsed = objectOf(body)
  const columns = listOf(parsed['user_column_data']).map(fieldsOf)
  const answers = Object.fromEntries(
    columns.flatMap((column) => {
      const name = textOf(column['column_id']) ?? textOf(column['column_name'])
      const value = textOf(column['string_value'])
      return name === null || value === null ? [] : [[name, value]]
    }),
  )
  const names = [answers['FIRST_NAME'], answers['LAST_NAME']].filter(Boolean).join(' ')
  return [
    {
      name: answers['FULL_NAME'] ?? names,
      phones: [answers['PHONE_NUMBER'], answers['WORK_PHONE']],
      email: answers['EMAIL'] ?? answers['WORK_EMAIL'],
      source: settings.source ?? 'google',
      campaign: settings.campaign ?? parsed['campaign_id'],
      externalId: parsed['lead_id'],
      others: { ...without(parsed, READ), gclid: parsed['gcl_id'], ...without(answers, ANSWERED) },
      isTest: parsed['is_test'] === true,
    },
  ]
}

export const google: Source = {
  read,
  recognises: isGoogle,
  example: {
    contract: 'https://developers.google.com/google-ads/webhook/docs/implementation',
    contentType: 'application/json',
    body: {
      lead_id: 'TeSter-123-ABCDEFGHIJKLMNOPQRSTUVWXYZ-abcdefghijklmnopqrstuvwxyz-0123456789',
      user_column_data: [
        { column_name: 'Full Name', string_value: 'Marina Tavares', column_id: 'FULL_NAME' },
        { column_name: 'User Phone', string_value: '+5511955500142', column_id: 'PHONE_NUMBER' },
        { column_name: 'User Email', string_value: 'marina@example.com', column_id: 'EMAIL' },
        { column_name: 'Quantos quartos?', string_value: '3', column_id: 'quantos_quartos' },
      ],
      api_version: '1.0',
      form_id: 40_000_000_000,
      campaign_id: 20_000_000_001,
      google_key: 'segredo',
      is_test: false,
      gcl_id: 'EAIaIQobChMI',
      adgroup_id: 20_000_000_002,
      creative_id: 30_000_000_000,
    },
  },
  preset: {
    name: 'Google Ads',
    what: 'Formulário de lead',
    initials: 'GA',
    hue: 'closed',
    place: 'Cole este endereço no formulário de lead do Google Ads, como URL do webhook',
  },
}
