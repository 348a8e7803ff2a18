// Texts of the brokers' login, some shared with the administrators' login.

export const UNKNOWN_USERNAME = 'Usuário incorreto'
export const WRONG_PASSWORD = 'Senha incorreta'
export const MISMATCH = 'As senhas não coincidem'
export const SET_PASSWORD_FAILED = 'Erro ao definir a senha'
export const USERNAME_REQUIRED = 'Digite seu usuário.'
export const PASSWORD_REQUIRED = 'Digite sua senha.'
export const NEW_PASSWORD_REQUIRED = 'Digite a nova senha.'
export const OFFLINE = 'Você precisa de internet para entrar.'
export const SESSION_OVER = 'Sua sessão expirou. Entre de novo.'
