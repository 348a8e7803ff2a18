// Sentences of 'Gerenciar Estágios do Kanban'.

/** What the banner says of a change that came to nothing. */
export const FAILED = {
  add: 'Erro ao adicionar novo estágio',
  edit: 'Erro ao editar estágio',
  delete: 'Erro ao deletar estágio',
  move: 'Erro ao reordenar estágios',
}
