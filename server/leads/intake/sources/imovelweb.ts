// Leads of ImovelWeb (Navent), in each of the five forms that a callback may be set to.
// The contract: https://open-docs.navent.com/bra/mensaje-de-interesado/ and https://open-docs.navent.com/bra/consulta-telefono/
import { fieldsOf, firstOf, objectOf, textOf, without, type Fields, type ReadSource } from '../new-lead.ts'

const NAMES = {
  name: ['nome', 'nombre', 'name', 'txtNome'],
  phone: ['telefone', 'telefono', 'phone', 'phoneNumber', 'txtTelefone'],
  areaCode: ['ddd', 'txtDdd'],
  email: ['email', 'txtEmail'],
  message: ['mensagem', 'mensaje', 'message'],
  listing: ['referencia', 'reference', 'codigoDoAnunciante', 'claveInterna', 'internalReference'],
  event: ['idEvento', 'eventId'],
  contact: ['idContato', 'idContacto', 'contactId'],
} as const
// `token` is the receiver's own, as a password.
const READ = [...Object.values(NAMES).flat(), 'tipoEvento', 'eventType', 'token']

export const isImovelweb = (body: unknown): boolean =>
  (textOf(fieldsOf(body)['tipoEvento'] ?? fieldsOf(body)['eventType']) ?? '').startsWith('CONTACTO') ||
  isShort(fieldsOf(body))

/** The form without an event: token, id, txtNome, txtEmail, txtDdd, txtTelefone. Of what the id is one is not said: it is kept as a field. */
const isShort = (told: Fields) => 'txtNome' in told && 'txtTelefone' in told

export const readImovelweb: ReadSource = (body, settings) => {
  const told = objectOf(body)
  return [
    {
      name: firstOf(told, NAMES.name),
      phones: NAMES.phone.map((name) => told[name]),
      areaCode: firstOf(told, NAMES.areaCode),
      email: firstOf(told, NAMES.email),
      source: settings.source ?? 'ImovelWeb',
      listing: firstOf(told, NAMES.listing),
      message: firstOf(told, NAMES.message),
      externalId: firstOf(told, NAMES.event) ?? firstOf(told, NAMES.contact),
      others: without(told, READ),
    },
  ]
}
