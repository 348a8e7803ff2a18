// Words on being told of news.
import type { Role } from '#domain/session.ts'
import type { PushState } from '#live/push.ts'

export const PUSHES = 'Avisos'

export const PUSH_STATE = {
  unknown: '',
  unsupported: 'Indisponíveis',
  elsewhere: 'Só no app instalado',
  off: 'Desligados',
  denied: 'Bloqueados',
  on: 'Ligados',
} satisfies Record<PushState, string>

export const ON_THIS_DEVICE = 'Avisos neste aparelho'
/** Why the switch is not there. */
export const NO_SWITCH = {
  unknown: '',
  unsupported: 'Este navegador não mostra avisos.',
  elsewhere: 'Para receber avisos neste aparelho, instale o aplicativo e abra pelo ícone.',
  denied: 'Avisos bloqueados neste aparelho. Para ativar, abra os ajustes do sistema.',
} satisfies Partial<Record<PushState, string>>
export const SWITCH_FAILED = 'Erro ao mudar os avisos. Tente de novo quando a internet voltar.'

export const HIDE_NAMES = 'Ocultar nomes na tela bloqueada'
export const QUIET = 'Horário de silêncio'
/** What each is told, and what is left out of it. */
export const HINTS = {
  broker: {
    told: 'Leads novos, respostas, campanhas concluídas e WhatsApp desconectado.',
    hidden: 'O aviso diz só que chegou uma mensagem, sem o nome e sem o texto.',
    quiet: 'Sem avisos nesse horário. No fim, você recebe um resumo dos leads à espera.',
  },
  admin: {
    told: 'O WhatsApp de um corretor caiu e não voltou em um minuto.',
    hidden: 'O aviso não diz de qual corretor.',
    quiet: 'Nada toca; no fim, um aviso para cada WhatsApp que não voltou.',
  },
} satisfies Record<Role, Record<'told' | 'hidden' | 'quiet', string>>
export const FROM = 'Das'
export const UNTIL = 'Até'
export const QUIET_SAME = 'Escolha um começo e um fim diferentes.'
export const SETTINGS_FAILED = 'Erro ao salvar os avisos. Tente novamente.'

export const DEVICES = 'Aparelhos com avisos'
export const THIS_DEVICE = 'este aparelho'
export const NO_DEVICES = 'Nenhum aparelho recebe avisos ainda.'
export const seenAgo = (ago: string) => (ago === 'agora' ? 'Ativo agora' : `Ativo ${ago}`)
export const removeDevice = (name: string) => `Remover ${name}`
export const removeQuestion = (name: string) => `Remover ${name}?`
export const REMOVE_CONSEQUENCE = 'Este aparelho deixa de receber avisos até que sejam ativados nele de novo.'
export const REMOVE = 'Remover'
export const REMOVE_FAILED = 'Erro ao remover o aparelho. Tente novamente.'
