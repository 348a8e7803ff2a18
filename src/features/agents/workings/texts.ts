// Texts of an agent's setup.

export const SAVE = 'Salvar'
export const SAVED = 'Salvo'
export const SAVE_FAILED = 'Não foi possível salvar.'
