// Sentences on installing and updating the app, and on being told by it.
import { AGENCY } from '#ui/primitives/agency.ts'

export const INSTALL_TITLE = `Instale o Portal ${AGENCY || 'do Corretor'}`
export const INSTALL_HINT = 'Abre direto da tela inicial e funciona mesmo sem sinal.'
export const INSTALL = 'Instalar'
export const NOT_NOW = 'Agora não'
export const UNDERSTOOD = 'Entendi'

export const NEW_VERSION = 'Nova versão disponível'
export const UPDATE = 'Atualizar'
export const UPDATED_ELSEWHERE = 'Nova versão ativa'
export const RELOAD_WHEN_YOU_CAN = 'Recarregar quando puder'

export const PUSH_TITLE = 'Saiba na hora quando um lead responder'
export const PUSH_HINT =
  'Avisamos só sobre mensagens novas e campanhas concluídas. Você escolhe os horários na sua conta.'
export const PUSH_ON = 'Ativar avisos'
export const PUSH_TURNING_ON = 'Ativando...'
export const PUSH_IS_ON = 'Avisos ativados neste aparelho'
export const PUSH_DENIED = 'Avisos bloqueados neste aparelho. Para ativar, abra os ajustes do sistema.'
export const PUSH_FAILED = 'Erro ao ativar os avisos. Tente de novo quando a internet voltar.'
