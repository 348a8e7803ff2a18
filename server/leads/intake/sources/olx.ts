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
  const told = objectOf(body)
  const origin = textOf(told['leadOrigin'])
  return [
    {
      name: told['name'],
      phones: [told['phoneNumber'], told['phone']],
      areaCode: told['ddd'],
      email: told['email'],
      source: PORTAL[origin?.toLowerCase() ?? ''] ?? settings.source ?? origin ?? 'Grupo OLX',
      listing: textOf(told['clientListingId']) ?? told['originListingId'],
      message: told['message'],
      externalId: told['originLeadId'],
      others: without(told, [...READ, 'ddd', 'phone', 'phoneNumber']),
    },
  ]
}
