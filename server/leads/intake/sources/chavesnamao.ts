// Leads of Chaves na Mão. The contract: https://github.com/chavesnamao/lead-documentation/blob/main/docs/api/imoveis.md
import { fieldsOf, objectOf, textOf, without, type ReadSource } from '../new-lead.ts'

const READ = ['id', 'name', 'email', 'phone', 'message', 'segment', 'ad', 'client']

export const isChavesnamao = (body: unknown): boolean =>
  /^(REALTY|VEHICLE)$/.test(textOf(fieldsOf(body)['segment']) ?? '')

export const readChavesnamao: ReadSource = (body, settings) => {
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
      // The advertiser is ourselves.
      others: {
        ...without(parsed, READ),
        anuncio: ad['title'],
        tipo: ad['realtyType'],
        finalidade: ad['purpose'],
      },
    },
  ]
}
