// Sentences of lists of leads that are brought in.
import { displayName } from '#domain/broker.ts'
import { countOf, formatDay, formatHour } from '#domain/format.ts'
import type { Import } from './data.ts'
import type { FileFault } from './list-messages.ts'

export const IMPORT = 'Importar lista'
export const LISTS = 'Listas importadas'
export const CHOOSE_FILE = 'Escolher arquivo'
export const CHOOSE_HINT =
  'Excel (XLSX) ou CSV, até 50 mil linhas e 20 MB. A primeira linha pode ter os títulos.'
export const READING_FILE = 'Lendo o arquivo...'
export const OTHER_FILE = 'Outro arquivo'
export const COLUMNS = 'O que é cada coluna'
export const NO_COLUMN = 'Nenhuma'
export const PREVIEW = 'Como vai entrar'
export const WHERE = 'Para onde vão os leads'
export const INBOX = 'Caixa do administrador'
export const BROKERS = 'Para um corretor'
export const ROTATIONS = 'Dividir pela roleta, sem oferta'
export const DEVELOPMENT = 'Empreendimento de quem não tem'
export const QUIET =
  'Ninguém recebe mensagem, oferta ou aviso. Quem já é lead continua onde está. Dá para desfazer em 24 horas.'
export const NOTHING_GOOD = 'Nenhuma linha pode virar lead. Confira a coluna do telefone.'
export const SENDING_FAILED = 'O envio parou. Confira a internet e tente de novo: o que já foi não se repete.'
export const STOP = 'Parar'
export const STOP_QUESTION = 'Parar a importação?'
export const STOP_CONSEQUENCE = 'Os leads que já entraram ficam. O resto da lista não entra.'
export const DISCARD = 'Descartar'
export const UNDO = 'Desfazer'
export const UNDO_QUESTION = 'Desfazer esta importação?'
export const undoConsequence = (count: number) =>
  `Saem os leads dela que ninguém atendeu, moveu ou editou: até ${count.toLocaleString('pt-BR')}. Os outros ficam.`
export const REFUSED_FILE = 'Baixar recusadas'
export const FAILED = 'Não foi possível. Tente de novo.'
export const NO_NAME = 'Sem nome'

const number = (count: number) => count.toLocaleString('pt-BR')
const rowsOf = (count: number) => countOf(count, 'linha', 'linhas')

export const fileTitle = (name: string, total: number) => `${name} · ${rowsOf(total)}`
export const importCount = (count: number) => `Importar ${countOf(count, 'lead', 'leads')}`
export const sentText = (sent: number, total: number) => `Enviando ${number(sent)} de ${number(total)}...`
export const goodText = (count: number) =>
  count === 1 ? '1 linha pronta para entrar' : `${number(count)} linhas prontas para entrar`
export const faultText = (count: number, text: string) => `${rowsOf(count)}: ${text}`
export const columnOption = (title: string, sample: string) =>
  sample === '' ? title : `${title} (${sample})`

export const FILE_FAULT = {
  large: 'O arquivo passa de 20 MB. Divida a lista.',
  unpacked: 'A planilha passa de 20 MB depois de aberta. Divida a lista ou salve como CSV.',
  rows: 'A lista passa de 50 mil linhas. Divida em mais de um arquivo.',
  empty: 'Não há nenhuma linha neste arquivo.',
  kind: 'Este tipo de arquivo não serve. Salve a planilha como XLSX, sem senha, ou CSV.',
  broken: 'Não foi possível ler o arquivo. Salve de novo como CSV e tente outra vez.',
} as const satisfies Record<FileFault, string>

/** 'Camila · hoje, 09:41' */
export function importWhere(
  { destination, instanceName, rotation, createdAtMs }: Import,
  nowMs: number,
): string {
  const where =
    destination === 'broker'
      ? instanceName === null
        ? 'Corretor removido'
        : displayName(instanceName)
      : destination === 'rotation'
        ? `Roleta ${rotation ?? 'removida'}`
        : INBOX
  return `${where} · ${formatDay(createdAtMs, nowMs).toLowerCase()}, ${formatHour(createdAtMs)}`
}

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
    return `Desfeita: ${countOf(undone, 'lead saiu', 'leads saíram')}${leftIn > 0 ? `, ${number(leftIn)} ${leftIn === 1 ? 'ficou' : 'ficaram'}` : ''}`
  const why = reason === 'no-owner' ? 'Parou: não há quem receba' : reason === 'person' ? 'Parada' : null
  return [...(why === null ? [] : [why]), ...counts].join(' · ')
}

/** How far it is, from 0 to 1; null where nothing goes on. */
export function importRatio({ state, total, added, known, refused, undone, leftIn }: Import): number | null {
  if (state === 'running') return (added + known + refused) / total
  return state === 'undoing' ? (undone + leftIn) / Math.max(1, added) : null
}
