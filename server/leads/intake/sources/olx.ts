// Leads of Grupo OLX: ZAP Imóveis, Viva Real and OLX. The contract: https://github.com/olxbr/crm-lead-integration
import { fieldsOf, objectOf, textOf, without, type ReadSource } from '../new-lead.ts'
import type { Source } from '../source.ts'

const PORTAL: Record<string, string> = {
  vivareal: 'Viva Real',
  zap: 'ZAP Imóveis',
  grupozap: 'Grupo OLX',
  'grupo olx': 'Grupo OLX',
  olx: 'OLX',
}
const READ = ['leadOrigin', 'originLeadId', 'originListingId', 'clientListingId', 'name', 'email', 'message']

const isOlx = (body: unknown): boolean =>
  textOf(fieldsOf(body)['originLeadId']) !== null || 'clientListingId' in fieldsOf(body)

/**
 * `phone` has no area code, `ddd` is the area code, and `phoneNumber` has both but is deprecated and not
 * always sent.
 */
const read: ReadSource = (body, settings) => {
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

export const olx: Source = {
  read,
  recognises: isOlx,
  example: {
    contract: 'https://github.com/olxbr/crm-lead-integration',
    contentType: 'application/json',
    body: {
      leadOrigin: 'VivaReal',
      timestamp: '2026-11-20T15:50:30.619Z',
      originLeadId: '59ee0fc6e4b043e1b2a6d863',
      originListingId: '87027856',
      clientListingId: '4471',
      name: 'Marina Tavares',
      email: 'marina@example.com',
      ddd: '11',
      phone: '955500142',
      phoneNumber: '11955500142',
      message: 'Olá, tenho interesse neste imóvel. Aguardo o contato.',
    },
  },
  preset: {
    name: 'ZAP e OLX',
    what: 'ZAP Imóveis, Viva Real e OLX',
    initials: 'ZO',
    hue: 'contacted',
    place: 'Cole este endereço no Canal Pro, em Integrações',
  },
}
