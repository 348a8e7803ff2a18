// Texts of imported lists of leads.
import { countOf, formatNumber } from '#domain/count.ts'
import type { Import } from './data.ts'

export const IMPORT = 'Importar lista'
export const INBOX = 'Caixa do administrador'

const number = (count: number) => formatNumber(count)
const rowsOf = (count: number) => countOf(count, 'linha', 'linhas')

export const fileTitle = (name: string, total: number) => `${name} · ${rowsOf(total)}`
export const sentText = (sent: number, total: number) => `Enviando ${number(sent)} de ${number(total)}...`

export const noContactsText = (total: number) => (total === 0 ? ' · vazia' : ' · sem telefones')

/** Tells which line of a sheet is the header. */
export function headerText({ header, isCards }: { header: number | null; isCards: boolean }): string {
  if (isCards) return 'Contatos de celular: cada cartão vira um contato.'
  if (header === null) return 'Sem cabeçalho. Há um? Clique na linha certa.'
  return `O cabeçalho é a linha ${number(header + 1)}. Não é? Clique na linha certa.`
}

export const BROKERS = 'Corretores da planilha'
export const STAGES = 'Etapas da planilha'
export const UNKNOWN_NAME = 'Não conhecido'
/** Shown for a broker's name that is not assigned to a broker of the portal. */
export const BROKER_UNBOUND = 'Vai para onde vão os outros'
export const stageUnbound = (first: string) => `${first}, com a etapa como etiqueta`
export const REFUSE_ROWS = 'Não importar estas linhas'

export const refusedTitle = (count: number) => countOf(count, 'linha recusada', 'linhas recusadas')
export const lineText = (sheet: string | null, line: number) =>
  `${sheet === null ? '' : `${sheet}, `}${sheet === null ? 'Linha' : 'linha'} ${number(line)}`
export const othersText = (count: number) => (count === 1 ? 'Ver a outra' : `Ver as outras ${number(count)}`)
export const repeatedText = (count: number) =>
  count === 1
    ? '1 linha é de quem já está na lista: as duas entram como um lead só.'
    : `${rowsOf(count)} são de quem já está na lista: cada pessoa entra uma vez.`
/** The import button's label if everybody in the list is a lead already. */
export const COMPLETE_KNOWN = 'Completar os que já existem'
export const severalNumbersText = (count: number) =>
  `${rowsOf(count)}. O primeiro celular é o do lead; os outros ficam com ele.`
/** Tells how many rows are in sheets that are not imported. */
export const leftOutText = (count: number) =>
  count === 1
    ? '1 linha de outra planilha fica de fora.'
    : `${number(count)} linhas de outras planilhas ficam de fora.`

const keptText = (count: number) =>
  `, ${countOf(count, 'ficou: alguém o', 'ficaram: alguém os')} atendeu, moveu ou editou`

export function importState(one: Import): string {
  const { state, reason, total, received, added, known, refused, undone, leftIn } = one
  const counts = [
    countOf(added, 'novo', 'novos'),
    known > 0 && `${number(known)} já ${known === 1 ? 'era lead' : 'eram leads'}`,
    refused > 0 && countOf(refused, 'recusada', 'recusadas'),
  ].filter((part) => part !== false)
  if (state === 'receiving') return `Recebidas ${number(received)} de ${rowsOf(total)}`
  if (state === 'running') return `Importando: ${number(added + known + refused)} de ${number(total)}`
  if (state === 'undoing') return `Desfazendo: ${number(undone + leftIn)} de ${number(added)}`
  if (state === 'undone')
    return `Desfeita: ${countOf(undone, 'lead saiu', 'leads saíram')}${leftIn > 0 ? keptText(leftIn) : ''}`
  const why = reason === 'no-owner' ? 'Parou: não há quem receba' : reason === 'person' ? 'Parada' : null
  return [...(why === null ? [] : [why]), ...counts].join(' · ')
}
