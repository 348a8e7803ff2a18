// Sentences on installing and updating the app. DESIGN-SYSTEM 11.

export const INSTALL_TITLE = 'Instale o Portal RHS'
export const INSTALL_HINT = 'Abre direto da tela inicial e funciona mesmo sem sinal.'
export const INSTALL = 'Instalar'
export const NOT_NOW = 'Agora não'
export const UNDERSTOOD = 'Entendi'

export const NEW_VERSION = 'Nova versão disponível'
export const UPDATE = 'Atualizar'
export const UPDATED_ELSEWHERE = 'Nova versão ativa'
export const RELOAD_WHEN_YOU_CAN = 'Recarregar quando puder'
