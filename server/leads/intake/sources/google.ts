// Leads of a Google Ads lead form. The contract: https://developers.google.com/google-ads/webhook/docs/implementation
import { fieldsOf, listOf, objectOf, textOf, without, type ReadSource } from '../new-lead.ts'

const READ = ['lead_id', 'user_column_data', 'api_version', 'google_key', 'is_test', 'gcl_id']
const ANSWERED = ['FULL_NAME', 'FIRST_NAME', 'LAST_NAME', 'PHONE_NUMBER', 'WORK_PHONE', 'EMAIL', 'WORK_EMAIL']

export const isGoogle = (body: unknown): boolean => Array.isArray(fieldsOf(body)['user_column_data'])

export const readGoogle: ReadSource = (body, settings) => {
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
