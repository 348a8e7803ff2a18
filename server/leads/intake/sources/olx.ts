// Leads of Grupo OLX: ZAP Imóveis, Viva Real and OLX. The contract: https://github.com/olxbr/crm-lead-integration
import { fieldsOf, objectOf, textOf, without, type ReadSource } from '../new-lead.ts'

const PORTAL: Record<string, string> = {
  vivareal: 'Viva Real',
  zap: 'ZAP Imóveis',
  grupozap: 'Grupo OLX',
  'grupo olx': 'Grupo OLX',
  olx: 'OLX',
}
const READ = ['leadOrigin', 'originLeadId', 'originListingId', 'clientListingId', 'name', 'email', 'message']

export const isOlx = (body: unknown): boolean =>
  textOf(fieldsOf(body)['originLeadId']) !== null || 'clientListingId' in fieldsOf(body)

/** `phone` has no area code, `ddd` is the area code, and `phoneNumber` has both: it is deprecated, and not always there. */
export const readOlx: ReadSource = (body, settings) => {
  const parsed = objectOf(body)
  const origin = textOf(parsed['leadOrigin'])
  return [
    {
      name: parsed['name'],
      phones: [parsed['phoneNumber'], parsed['phone']],
      areaCode: parsed['ddd'],
      email: parsed['email'],
      source: PORTAL[origin?.toLowerCase() ?? ''] ?? settings.source ?? origin ?? 'Grupo OLX',
      listing: textOf(parsed['clientListingId']) ?? parsed['originListingId'],
      message: parsed['message'],
      externalId: parsed['originLeadId'],
      others: without(parsed, [...READ, 'ddd', 'phone', 'phoneNumber']),
    },
  ]
}
