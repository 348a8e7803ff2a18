// Leads of Chaves na Mão. The contract: https://github.com/chavesnamao/lead-documentation/blob/main/docs/api/imoveis.md
import { fieldsOf, objectOf, textOf, without, type ReadSource } from '../new-lead.ts'

const READ = ['id', 'name', 'email', 'phone', 'message', 'segment', 'ad', 'client']

export const isChavesnamao = (body: unknown): boolean =>
  /^(REALTY|VEHICLE)$/.test(textOf(fieldsOf(body)['segment']) ?? '')

export const readChavesnamao: ReadSource = (body, settings) => {
  const told = objectOf(body)
  const ad = fieldsOf(told['ad'])
  return [
    {
      name: told['name'],
      phones: [told['phone']],
      email: told['email'],
      source: settings.source ?? 'Chaves na Mão',
      listing: textOf(ad['reference']) ?? ad['id'],
      message: told['message'],
      externalId: told['id'],
      // The advertiser is ourselves.
      others: {
        ...without(told, READ),
        anuncio: ad['title'],
        tipo: ad['realtyType'],
        finalidade: ad['purpose'],
      },
    },
  ]
}
