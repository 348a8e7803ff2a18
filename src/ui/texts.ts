// Words that many screens share. HOUSE 6.

export const CANCEL = 'Cancelar'
export const CLOSE = 'Fechar'
export const SAVE = 'Salvar'
export const SAVING = 'Salvando...'
export const BACK = 'Voltar'
export const RETRY = 'Tentar de novo'
export const LOADING = 'Carregando...'
export const LOAD_FAILED = 'Não foi possível carregar.'
export const RELOAD = 'Recarregar'
export const PART_MISSING = 'Erro ao abrir esta parte do portal. Recarregue quando houver sinal.'
