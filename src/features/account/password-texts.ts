// Sentences of changing one's own password.

export const CHANGE_PASSWORD = 'Trocar senha'
export const PASSWORD_HINT = 'Trocar a senha encerra as suas sessões nos outros aparelhos.'
export const PASSWORD_CHANGED = 'Senha trocada com sucesso!'
export const CURRENT_REQUIRED = 'Digite a senha atual.'
export const CURRENT_WRONG = 'Senha atual incorreta'
export const NEXT_REQUIRED = 'Digite a nova senha.'
export const MISMATCH = 'As senhas não coincidem'
