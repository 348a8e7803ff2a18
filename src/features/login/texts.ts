// Sentences of the brokers' login, and those that the administrators' shares.

export const UNKNOWN_USERNAME = 'Usuário incorreto'
export const WRONG_PASSWORD = 'Senha incorreta'
export const PASSWORD_RESET =
  'Sua senha foi resetada. Abra o link de primeiro acesso que o administrador enviou.'
export const MISMATCH = 'As senhas não coincidem'
export const SET_PASSWORD_FAILED = 'Erro ao definir a senha'
export const LOOKUP_FAILED = 'Erro ao verificar senha'
export const USERNAME_REQUIRED = 'Digite seu usuário.'
export const PASSWORD_REQUIRED = 'Digite sua senha.'
export const NEW_PASSWORD_REQUIRED = 'Digite a nova senha.'
export const OFFLINE = 'Você precisa de internet para entrar.'
export const SESSION_OVER = 'Sua sessão expirou. Entre de novo.'
export const SESSION_OVER_UNSENT = 'Sua sessão expirou. Entre de novo; as alterações na fila estão guardadas.'
export const OTHER_ACCOUNT = 'Entrar com outra conta'
