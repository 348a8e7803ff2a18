// Texts of 'Gerenciar Estágios do Kanban'.

/** What the banner says if a change failed. */
export const FAILED = {
  add: 'Erro ao adicionar novo estágio',
  edit: 'Erro ao editar estágio',
  delete: 'Erro ao deletar estágio',
  move: 'Erro ao reordenar estágios',
}
