// Texts of 'Gerenciar Estágios do Kanban'.

/** The banner's text for a failed change. */
export const FAILED = {
  add: 'Erro ao adicionar novo estágio',
  edit: 'Erro ao editar estágio',
  delete: 'Erro ao deletar estágio',
  move: 'Erro ao reordenar estágios',
}
