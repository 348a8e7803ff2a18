// Sentences of the board.
import { countOf } from '#domain/format.ts'

export const BOARD_TITLE = 'Gerenciar Conversas'
export const DROP_HINT = 'Arraste um contato para aqui'
export const BOARD_KEYS =
  'Setas andam entre os contatos. Espaço pega um contato; Alt com seta para os lados move para o estágio vizinho.'
export const ADD_LEAD = 'Adicionar lead'
export const NOTES = 'Notas'
export const MOVE = 'Mover para outro estágio'
export const RESOLVE = 'Resolver'
/** What a card says of what was done to it and is not on the server. */
export const WAITING = {
  queue: 'Na fila',
  conflict: 'Mudou em outro aparelho',
  refused: 'Não foi enviada',
}
export const EMPTY_BOARD = 'Nenhum contato ainda.'
export const EMPTY_BOARD_HINT = 'Eles aparecem aqui quando alguém escrever.'

export const openConversation = (name: string) => `Abrir conversa com ${name}`
export const contacts = (count: number) => countOf(count, 'contato', 'contatos')
export const emptyStage = (stage: string) => `Nenhum contato em ${stage}`
export const unread = (count: number) => countOf(count, 'nova', 'novas')
/** Follows name and count of a stage's tab for a screen reader: '12' + ' contatos, estágio 1 de 5'. */
export const tabWords = (count: number, position: number, total: number) =>
  ` ${count === 1 ? 'contato' : 'contatos'}, estágio ${position} de ${total}`
export const unreadWords = (count: number) => `, ${countOf(count, 'não lida', 'não lidas')}`
export const remarketed = (when: string) => `Remarketing · ${when}`
