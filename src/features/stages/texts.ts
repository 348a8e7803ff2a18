// Sentences of 'Gerenciar Estágios do Kanban'.
import { countOf } from '#domain/format.ts'
import type { Stage } from '#domain/stage.ts'

export const TITLE = 'Gerenciar Estágios do Kanban'
export const BACK_TO_CRM = 'Voltar ao CRM'
export const NEW_STAGE = 'Novo estágio'
export const NEW_STAGE_PLACEHOLDER = 'Nome do novo estágio'
export const ADD = 'Adicionar'
export const ADDING = 'Adicionando...'
export const DELETE = 'Excluir'
export const STAGE_NAME = 'Nome do estágio'
export const OFFLINE = 'Você precisa de internet para mudar os estágios.'
export const DELETE_QUESTION = 'Tem certeza que deseja excluir este estágio?'
export const DELETE_CONSEQUENCE = 'Todos os contatos neste estágio serão movidos para "Novos Contatos".'

/** How many those are. */
export const leadsMove = (count: number) =>
  count === 0
    ? 'Agora não há nenhum.'
    : count === 1
      ? 'É 1 contato.'
      : `São ${count.toLocaleString('pt-BR')} contatos.`

export const LOAD_FAILED = 'Erro ao carregar estágios do kanban'
/** What the banner says of a change that came to nothing. */
export const FAILED = {
  add: 'Erro ao adicionar novo estágio',
  edit: 'Erro ao editar estágio',
  delete: 'Erro ao deletar estágio',
  move: 'Erro ao reordenar estágios',
}

export const KIND: Record<Stage['kind'], string> = {
  open: 'Aberto',
  won: 'Ganho',
  lost: 'Perdido/Arquivado',
}
export const KIND_HINT =
  'Ganho conta como conversão nos relatórios. Perdido/Arquivado encerra o atendimento sem contar.'
export const DEFAULT_HINT = 'Novos contatos entram aqui'

export const editLabel = (stage: string) => `Editar ${stage}`
export const deleteLabel = (stage: string) => `Excluir ${stage}`
export const upLabel = (stage: string) => `Mover ${stage} para cima`
export const downLabel = (stage: string) => `Mover ${stage} para baixo`
export const kindLabel = (stage: string) => `Tipo de ${stage}`
export const stageCount = (count: number) => countOf(count, 'estágio', 'estágios')
export const movedSpoken = (stage: string, position: number, total: number) =>
  `${stage}, posição ${position} de ${total}.`
