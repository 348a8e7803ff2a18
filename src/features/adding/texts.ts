// Sentences of 'Adicionar lead'.
import type { HandSource, PhoneFault } from '#domain/lead-adding.ts'

export const ADD_LEAD = 'Adicionar lead'
export const ADDING = 'Adicionando…'
export const NAME = 'Nome'
export const NAME_MISSING = 'Falta o nome.'
export const NUMBER = 'WhatsApp'
export const NUMBER_FAULT: Readonly<Record<PhoneFault, string>> = {
  area: 'Falta o DDD.',
  number: 'Este número não parece de WhatsApp.',
}
export const CHECKED_LATER = 'Conferimos se já é seu quando a internet voltar.'
export const yours = (name: string) => `Este número já está com você: ${name}`
export const OPEN = 'Abrir'
export const DEVELOPMENT = 'Empreendimento'
export const SOURCE = 'De onde veio'
export const SOURCE_LABEL: Readonly<Record<HandSource, string>> = {
  plantao: 'Plantão',
  indicacao: 'Indicação',
  telefone: 'Telefone',
  placa: 'Placa',
  outro: 'Outro',
}
export const NOTE = 'Nota'
export const OWNER = 'Corretor'
export const NO_OWNER = 'Sem corretor'
export const QUEUES = 'Fica na fila e entra quando a internet voltar.'
export const ADD_FAILED = 'Não foi possível adicionar o lead.'
export const added = (name: string) => `Lead adicionado: ${name}`
export const queued = (name: string) => `Na fila: ${name}`
export const DISCARD_QUESTION = 'Descartar?'
export const DISCARD_CONSEQUENCE = 'O que você preencheu será perdido.'
export const DISCARD = 'Descartar'
export const GO_ON = 'Continuar'
