// Texts of Auditoria.

export const TITLE = 'Auditoria'
