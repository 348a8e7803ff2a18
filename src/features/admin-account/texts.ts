// Texts of Conta (password and second factor) and of Administradores.

export const SECOND_STEP = 'Verificação em duas etapas'
export const TURN_ON = 'Ativar'

export const ADMINS = 'Administradores'
export const ADD = 'Adicionar administrador'
