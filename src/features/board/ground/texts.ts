// Texts of the board.
import { countOf } from '#domain/count.ts'

export const BOARD_TITLE = 'Gerenciar Conversas'
export const DROP_HINT = 'Arraste um contato para aqui'
export const ADD_LEAD = 'Adicionar lead'
export const contacts = (count: number) => countOf(count, 'contato', 'contatos')
export const emptyStage = (stage: string) => `Nenhum contato em ${stage}`
