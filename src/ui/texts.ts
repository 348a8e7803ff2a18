// Texts that many screens share.

export const CANCEL = 'Cancelar'
export const CLOSE = 'Fechar'
export const SAVE = 'Salvar'
export const SAVING = 'Salvando...'
export const BACK = 'Voltar'
export const RETRY = 'Tentar de novo'
export const LOADING = 'Carregando...'
export const LOAD_FAILED = 'Não foi possível carregar'
export const OFFLINE = 'Sem conexão'
export const ONLINE_ONLY = 'Você precisa de internet para isto.'
export const EXPORTING = 'Exportando...'
export const EXPORT_FAILED = 'Erro ao exportar. Tente de novo.'
