// Leads of ImovelWeb (Navent), in each of the five formats that a callback may have. The contract:
// https://open-docs.navent.com/bra/mensaje-de-interesado/ and
// https://open-docs.navent.com/bra/consulta-telefono/
import { fieldsOf, firstOf, objectOf, textOf, without, type Fields, type ReadSource } from '../new-lead.ts'
import type { Source } from '../source.ts'

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
// `token` is the receiver's password, not data of the lead.
const READ = [...Object.values(NAMES).flat(), 'tipoEvento', 'eventType', 'token']

const isImovelweb = (body: unknown): boolean =>
  (textOf(fieldsOf(body)['tipoEvento'] ?? fieldsOf(body)['eventType']) ?? '').startsWith('CONTACTO') ||
  isShort(fieldsOf(body))

/**
 * The format without an event: token, id, txtNome, txtEmail, txtDdd, txtTelefone. The contract does not say
 * what the id identifies, so it is kept as a field.
 */
const isShort = (parsed: Fields) => 'txtNome' in parsed && 'txtTelefone' in parsed

const read: ReadSource = (body, settings) => {
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

export const imovelweb: Source = {
  read,
  recognises: isImovelweb,
  example: {
    contract: 'https://open-docs.navent.com/bra/mensaje-de-interesado/',
    contentType: 'application/json',
    body: {
      idEvento: 'e7b2c7f0-6a3d-4d55-9f4f-0c1f6a2b9d11',
      tipoEvento: 'CONTACTO_MENSAJE',
      idMensagem: 90_211,
      idTipoContacto: 1,
      idContato: 55_120_934,
      idnavplat: 2_988_119_001,
      codigoImobiliaria: 'IMOB-01',
      idAnuncioPai: null,
      codigoLancamento: null,
      referencia: '4471',
      dataRegistro: '2026-11-20T15:50:30.619Z',
      nome: 'Marina Tavares',
      email: 'marina@example.com',
      telefone: '11 95550-0142',
      mensagem: 'Gostaria de mais informações.',
      planoDePublicacao: 'DESTACADO',
      codigoDoAnunciante: 'IMOB',
      cpf: null,
    },
  },
  preset: {
    name: 'ImovelWeb',
    what: 'Contatos e pedidos de telefone',
    initials: 'IW',
    hue: 'new',
    place: 'Informe este endereço ao ImovelWeb como retorno (callback) de contatos',
  },
}
