// Words that many screens share.

export const CANCEL = 'Cancelar'
export const CLOSE = 'Fechar'
export const SAVE = 'Salvar'
export const SAVING = 'Salvando...'
export const BACK = 'Voltar'
export const RETRY = 'Tentar de novo'
export const LOADING = 'Carregando...'
export const LOAD_FAILED = 'Não foi possível carregar'
export const UPDATE_FAILED = 'Não foi possível atualizar.'
export const RETURNS_BY_ITSELF = 'Aparece assim que a internet voltar.'
export const OFFLINE = 'Sem conexão'
export const ONLINE_ONLY = 'Você precisa de internet para isto.'
export const EXPORTING = 'Exportando...'
export const EXPORT_FAILED = 'Erro ao exportar. Tente de novo.'
export const RELOAD = 'Recarregar'
export const PART_MISSING = 'Erro ao abrir. Tente de novo quando a internet voltar.'
export const DONE = 'Concluir'
export const COPY_LINK = 'Copiar link'
export const COPIED = 'Link copiado'
export const COPY_FAILED = 'Não foi possível copiar. Selecione o link e copie.'

export const showing = (from: string) => `Mostrando dados de ${from}.`
