// Texts of the agents' screens.

// Texts of the list of agents.
export const ADD = 'Adicionar Empreendimento'
export const DETAILS_FAILED = 'Erro ao carregar detalhes do agente. Tente novamente.'
export const INFO = 'Informações'

// Texts of an agent's settings.
export const BACK_TO_LIST = 'Voltar aos agentes'

// Texts of the prompt editor.
export const DRAFT = 'Rascunho'
const UNKNOWN_ERROR = 'Erro desconhecido'
export const saveFailed = (detail: string) => `Erro ao salvar alterações: ${detail || UNKNOWN_ERROR}`
