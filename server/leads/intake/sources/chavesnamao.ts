// Leads of Chaves na Mão. The contract: https://github.com/chavesnamao/lead-documentation/blob/main/docs/api/imoveis.md
import { fieldsOf, objectOf, textOf, without, type ReadSource } from '../new-lead.ts'
import type { Source } from '../source.ts'

const READ = ['id', 'name', 'email', 'phone', 'message', 'segment', 'ad', 'client']

const isChavesnamao = (body: unknown): boolean =>
  /^(REALTY|VEHICLE)$/.test(textOf(fieldsOf(body)['segment']) ?? '')

const read: ReadSource = (body, settings) => {
  const parsed = objectOf(body)
  const ad = fieldsOf(parsed['ad'])
  return [
    {
      name: parsed['name'],
      phones: [parsed['phone']],
      email: parsed['email'],
      source: settings.source ?? 'Chaves na Mão',
      listing: textOf(ad['reference']) ?? ad['id'],
      message: parsed['message'],
      externalId: parsed['id'],
      // `client` is the agency itself, so its fields are left out.
      others: {
        ...without(parsed, READ),
        anuncio: ad['title'],
        tipo: ad['realtyType'],
        finalidade: ad['purpose'],
      },
    },
  ]
}

export const chavesnamao: Source = {
  read,
  recognises: isChavesnamao,
  example: {
    contract: 'https://github.com/chavesnamao/lead-documentation/blob/main/docs/api/imoveis.md',
    contentType: 'application/json',
    body: {
      id: '12345',
      name: 'Marina Tavares',
      email: 'marina@example.com',
      phone: '11955500142',
      message: 'Gostaria de agendar uma visita.',
      createdAt: '2026-11-20 14:30:00',
      sendAt: '2026-11-20 14:30:05',
      segment: 'REALTY',
      proposeTypeName: 'Formulário WhatsApp',
      ad: {
        id: '98765',
        title: 'Apartamento no Lago',
        reference: '4471',
        realtyType: 'Apartamento',
        purpose: 'Venda',
      },
      client: { name: 'Imobiliária', tradeName: 'Imobiliária', document: '00.000.000/0001-00' },
    },
  },
  preset: {
    name: 'Chaves na Mão',
    what: 'Propostas e contatos',
    initials: 'CM',
    hue: 'negociacao',
    place: 'Cole este endereço no painel do Chaves na Mão, em Integrações, Webhooks',
  },
}
