// Sentences of Auditoria.

export const TITLE = 'Auditoria'
