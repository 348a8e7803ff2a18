// Leads of ImovelWeb (Navent), in each of the four languages a callback may be set to.
// The contract: https://open-docs.navent.com/bra/mensaje-de-interesado/ and https://open-docs.navent.com/bra/consulta-telefono/
import { fieldsOf, firstOf, objectOf, textOf, without, type ReadSource } from '../new-lead.ts'

const NAMES = {
  name: ['nome', 'nombre', 'name'],
  phone: ['telefone', 'telefono', 'phone', 'phoneNumber'],
  message: ['mensagem', 'mensaje', 'message'],
  listing: ['referencia', 'reference', 'codigoDoAnunciante', 'claveInterna', 'internalReference'],
  event: ['idEvento', 'eventId'],
  contact: ['idContato', 'idContacto', 'contactId'],
} as const
const READ = [...Object.values(NAMES).flat(), 'email', 'ddd', 'tipoEvento', 'eventType']

export const isImovelweb = (body: unknown): boolean =>
  (textOf(fieldsOf(body)['tipoEvento'] ?? fieldsOf(body)['eventType']) ?? '').startsWith('CONTACTO')

export const readImovelweb: ReadSource = (body, settings) => {
  const told = objectOf(body)
  return [
    {
      name: firstOf(told, NAMES.name),
      phones: NAMES.phone.map((name) => told[name]),
      areaCode: told['ddd'],
      email: told['email'],
      source: settings.source ?? 'ImovelWeb',
      listing: firstOf(told, NAMES.listing),
      message: firstOf(told, NAMES.message),
      externalId: firstOf(told, NAMES.event) ?? firstOf(told, NAMES.contact),
      others: without(told, READ),
    },
  ]
}
