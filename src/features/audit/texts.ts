// Sentences of Auditoria.

export const TITLE = 'Auditoria'
export const HINT = 'Quem fez o quê, e quando. Nada aqui pode ser alterado ou apagado.'
export const EXPORT = 'Exportar CSV'
export const exportFailed = (message: string) => `Erro ao exportar: ${message}`
export const WHO = 'Quem'
export const WHAT = 'O quê'
export const FROM = 'De'
export const TO = 'Até'
export const ANYONE = 'Todos'
export const ANYTHING = 'Tudo'
export const SYSTEM = 'Sistema'
export const STRANGERS = 'Entradas recusadas'
export const CLEAR = 'Limpar filtros'
export const NONE = 'Nada foi registrado ainda.'
export const NONE_FOUND = 'Nada encontrado com estes filtros.'
export const MORE = 'Carregar mais'
export const FILE = 'auditoria.csv'
