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
const isShort = (parsed: Fields) => 'txtNome' in parsed && 'txtTelefone' in parsed

export const readImovelweb: ReadSource = (body, settings) => {
  const parsed = objectOf(body)
  return [
    {
      name: firstOf(parsed, NAMES.name),
      phones: NAMES.phone.map((name) => parsed[name]),
      areaCode: firstOf(parsed, NAMES.areaCode),
      email: firstOf(parsed, NAMES.email),
      source: settings.source ?? 'ImovelWeb',
      listing: firstOf(parsed, NAMES.listing),
      message: firstOf(parsed, NAMES.message),
      externalId: firstOf(parsed, NAMES.event) ?? firstOf(parsed, NAMES.contact),
      others: without(parsed, READ),
    },
  ]
}
