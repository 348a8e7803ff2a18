// Texts of 'Dados de uma pessoa' (LGPD art. 18).
import { countOf } from '#domain/count.ts'
import type { HeldData } from '#domain/person-data.ts'

const contactsOf = (count: number) => countOf(count, 'contato', 'contatos')
const messagesOf = (count: number) => countOf(count, 'mensagem', 'mensagens')
const filesOf = (count: number) => countOf(count, 'arquivo', 'arquivos')

/** Lists in words what the erasure deletes. */
export function lossesOf({ leads, files, places }: HeldData): string[] {
  const rows = (name: string) => places.find(({ place }) => place === name)?.count ?? 0
  const messages = rows('messages')
  return [
    ...(leads.length > 0 ? [`${contactsOf(leads.length)}, com nome, número e notas`] : []),
    ...(messages > 0 ? [[messagesOf(messages), ...(files > 0 ? [filesOf(files)] : [])].join(' e ')] : []),
    ...(rows('agents') > 0 ? ['O que os agentes lembram da conversa'] : []),
    ...(rows('campaigns') > 0 ? ['O nome e o texto nas campanhas; as contagens ficam'] : []),
    'Formulários, histórico e tudo o mais desta lista',
  ]
}

export const erasedText = ({ leads, messages, files }: { leads: number; messages: number; files: number }) =>
  `Dados excluídos: ${contactsOf(leads)}, ${messagesOf(messages)} e ${filesOf(files)}.`
