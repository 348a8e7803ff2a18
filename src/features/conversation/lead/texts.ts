// Sentences of the lead's sheet.
import { formatDay, formatHour } from '#domain/format.ts'
import { ACTION_LABEL } from '#domain/next-action-words.ts'
import type { PathStep } from '#data/lead-sheet.ts'
import { sourceLabel } from '#domain/lead-source.ts'

export const LEAD_DETAILS = 'Dados do lead'
export const NOTE = 'Nota'
export const NO_NOTE = 'Nenhuma nota ainda.'
export const EDIT_NOTE = 'Editar nota'
export const ADD = 'Adicionar'
export const ADD_TAG = 'Adicionar etiqueta'
export const NEW_TAG = 'Nova etiqueta'
export const SOURCE = 'Origem'
export const NEXT = 'Próximo passo'
export const PATH = 'Caminho do lead'
export const FILES = 'Arquivos'
export const SHEET_FAILED = 'Não foi possível carregar os dados do lead.'
export const FIELDS_FAILED = 'Não foi possível salvar os dados do lead.'
export const NO_VALUE = 'Escreva um valor, como 640 mil ou 1,2 mi.'
export const NO_EMAIL = 'Este e-mail não parece certo.'
export const WHY_LOST = 'Por que arquivar?'
export const SAVE_REASON = 'Salvar motivo'
export const SKIP = 'Pular'
export const NOT_SAID = 'Motivo não informado'
export const MOVE = 'Mover'
export const REOPEN = 'Reabrir'
export const SAY_REASON = 'Informar'

export const removeTag = (tag: string) => `Remover etiqueta ${tag}`
export const editField = (label: string) => `Editar ${label.toLocaleLowerCase('pt-BR')}`
export const isIn = (name: string, stage: string) => `${name} já está em ${stage}.`
export const momentOf = (ms: number, nowMs: number) => `${formatDay(ms, nowMs)}, ${formatHour(ms)}`
export const lostAt = (ms: number, nowMs: number) => `Saiu ${momentOf(ms, nowMs).toLocaleLowerCase('pt-BR')}`

/** `you`: the reader's own instance. */
export function stepText({ kind, word, by }: PathStep, you: string | null): string {
  const isYou = by !== null && by === you
  const to = isYou ? ' a você' : ' a outro corretor'
  const rotation = word === null ? '' : ` pela roleta ${word}`
  switch (kind) {
    case 'arrived':
      return word === null || word === 'desconhecida' ? 'Chegou' : `Chegou por ${sourceLabel(word)}`
    case 'wrote':
      return 'Primeira mensagem do lead'
    case 'answered':
      return isYou ? 'Você respondeu' : 'Primeira resposta'
    case 'offered':
      return `Oferecido${to}${rotation}`
    case 'given':
      return `Entregue${to}${rotation}`
    case 'accepted':
      return isYou ? 'Aceito por você' : 'Aceito por outro corretor'
    case 'passed':
      return isYou ? 'Você passou' : 'Passado adiante'
    case 'expired':
      return 'O tempo de aceitar acabou'
    case 'pooled':
      return 'Foi para o bolsão'
    case 'claimed':
      return isYou ? 'Pego por você no bolsão' : 'Pego no bolsão'
    case 'moved':
      return `Foi para ${word}`
    case 'handed':
      return isYou ? 'Passou a ser seu' : 'Mudou de corretor'
    case 'did':
      return `${Object.entries(ACTION_LABEL).find(([action]) => action === word)?.[1] ?? 'Tarefa'}: feito`
    default:
      return kind
  }
}
