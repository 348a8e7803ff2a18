// Sentences of 'Notas do Lead' and of a lead's name.

export const NOTES_TITLE = 'Notas do Lead'
export const NOTES_PLACEHOLDER = 'Digite suas anotações sobre o lead...'
export const NOTES_HINT = 'Salvas no aparelho e enviadas quando a internet voltar.'
export const DRAFT_RESTORED = 'Recuperamos o que você escreveu e não salvou.'
export const NOTES_FAILED = 'Erro ao salvar notas. Tente novamente.'

export const NAME = 'Nome do lead'
export const RENAME = 'Editar nome'
export const RENAME_FAILED = 'Erro ao salvar o nome. Tente novamente.'

export const UNSAVED_QUESTION = 'Sair sem salvar?'
export const UNSAVED_CONSEQUENCE = 'O que você escreveu nesta nota será perdido.'
export const LEAVE_UNSAVED = 'Sair sem salvar'
export const KEEP_WRITING = 'Continuar escrevendo'
