// Sentences of Conta: the own password and second step, and the other administrators.

export const SECOND_STEP = 'Verificação em duas etapas'
export const TURN_ON = 'Ativar'

export const ADD = 'Adicionar administrador'
