// Texts of the board.
import { countOf } from '#domain/count.ts'

export const BOARD_TITLE = 'Gerenciar Conversas'
export const DROP_HINT = 'Arraste um contato para aqui'
export const ADD_LEAD = 'Adicionar lead'
/** What a card tells about a change that the server does not have. */
export const WAITING = {
  queue: 'Na fila',
  conflict: 'Mudou em outro aparelho',
  refused: 'Não foi enviada',
  unbooked: 'A visita não foi marcada',
  unsaved: 'Não foi salvo',
}

export const contacts = (count: number) => countOf(count, 'contato', 'contatos')
export const emptyStage = (stage: string) => `Nenhum contato em ${stage}`
