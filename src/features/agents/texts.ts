// Texts of the agents' screens.

// List.
export const ADD = 'Adicionar Empreendimento'
export const DETAILS_FAILED = 'Erro ao carregar detalhes do agente. Tente novamente.'
export const INFO = 'Informações'

// Settings.
export const BACK_TO_LIST = 'Voltar aos agentes'

// Editor.
export const DRAFT = 'Rascunho'
const UNKNOWN_ERROR = 'Erro desconhecido'
export const saveFailed = (detail: string) => `Erro ao salvar alterações: ${detail || UNKNOWN_ERROR}`
