// Sentences of 'Dados de uma pessoa'. LGPD art. 18.
import { countOf, formatDate } from '#domain/format.ts'
import type { HeldData } from '#domain/person-data.ts'

export const TITLE = 'Dados de uma pessoa'
export const HINT =
  'Pedidos da LGPD: veja tudo o que o portal guarda sobre alguém, entregue uma cópia ou apague de vez.'
export const NUMBER = 'Número de telefone'
export const NUMBER_HINT = '(11) 95550-0142'
export const NUMBER_FAULT = 'Informe o número com DDD.'
export const SEARCH = 'Buscar'

export const NOTHING = 'O portal não tem dados desta pessoa.'
export const LEFT_ALONE = 'Nenhuma campanha chega a este número.'
export const leftAloneSince = (ms: number) => `Não recebe campanhas desde ${formatDate(ms)}`
export const UNNAMED = 'Sem nome'
export const CONTACTS = 'Contatos'
export const HELD = 'O que está guardado'
export const NO_BROKER_YET = 'Sem corretor'
export const HIDDEN = 'Número oculto'

export const EXPORT = 'Baixar tudo'
export const EXPORTING = 'Preparando…'
export const FILE = 'dados-de-uma-pessoa.zip'
export const exportFailed = (message: string) => `Erro ao baixar: ${message}`

export const ERASE = 'Apagar os dados desta pessoa'
export const QUESTION = 'Apagar os dados desta pessoa?'
export const CONSEQUENCE =
  'Isto sai do portal, para todos os corretores e em todos os aparelhos, e não volta:'
export const ERASE_NOW = 'Apagar tudo'
export const ERASING = 'Apagando…'
export const eraseFailed = (message: string) => `Erro ao apagar: ${message}`
/** What stays, told before it is done. */
export const REMAINS =
  'Fica só um código do número, que ninguém lê de volta, para nenhuma campanha chegar a ele de novo. Das cópias de segurança os dados saem em até 7 dias. A conversa no WhatsApp, no celular do corretor, não é do portal e continua lá.'

const contactsOf = (count: number) => countOf(count, 'contato', 'contatos')
const messagesOf = (count: number) => countOf(count, 'mensagem', 'mensagens')
const filesOf = (count: number) => countOf(count, 'arquivo', 'arquivos')

/** What goes, named. */
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
  `Dados apagados: ${contactsOf(leads)}, ${messagesOf(messages)} e ${filesOf(files)}.`
