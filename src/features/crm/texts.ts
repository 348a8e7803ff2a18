// Sentences of 'Visão Geral do CRM' and of handing leads over.
import { displayName, NO_BROKER } from '#domain/broker.ts'
import { countOf, formatDateTime } from '#domain/format.ts'

export const TITLE = 'Visão Geral do CRM'
export const SEARCH = 'Buscar corretor...'
export const HIDE_BROKERS = 'Ocultar Corretores'
export const SHOW_BROKERS = 'Mostrar Corretores'
export const ADD_LEAD = 'Adicionar lead'
export const MANAGE_STAGES = 'Gerenciar Kanbans'
export const BROKERS = 'Corretores'
export const SELECTED = 'Corretores selecionados'
export const CLEAR = 'Limpar'
export const NOBODY_SELECTED = 'Nenhum corretor selecionado'
export const NOBODY_SELECTED_HINT =
  'Selecione um ou mais corretores na lista lateral para visualizar seus leads no kanban.'
export const NO_LEADS = 'Nenhum lead ainda.'
export const NO_LEADS_HINT = 'Eles aparecem aqui quando alguém escrever.'
export const NO_BROKERS = 'Nenhum corretor ainda.'
export const CONNECTED = 'WhatsApp conectado'
export const DISCONNECTED = 'WhatsApp desconectado'

export const HAND_OVER = 'Passar para outro corretor'
export const HAND_OVER_SHORT = 'Passar para...'
export const HANDING_OVER = 'Passando...'
export const RECEIVER = 'Corretor que recebe'
export const HAND_OVER_HINT =
  'Conversas, notas e estágio vão junto. As respostas passam a sair do WhatsApp de quem recebe; o que chegar no número antigo entra na mesma conversa.'
export const HAND_OVER_LEAD = 'Passar para outro corretor'
export const HAND_OVER_FAILED = 'Erro ao passar os leads. Tente novamente.'
export const HAND_OVER_OFFLINE = 'Você precisa de internet para passar leads.'
export const UNDO = 'Desfazer'
export const CLEAR_CHOSEN = 'Limpar seleção'
export const OWNERS = 'Quem já atendeu'
export const OPEN_IN_CRM = 'Abrir no CRM'
export const ALL_OWNERLESS = 'Ver todos os sem corretor no CRM'

/** Name that people read; leads without a broker are the administrator's. */
export const brokerName = (instanceName: string) =>
  instanceName === NO_BROKER ? 'Sem corretor' : displayName(instanceName)
export const repliesAs = (broker: string) => `Responde pelo WhatsApp de ${broker}`
export const leadOf = (broker: string) => `Lead de ${broker}`
export const leads = (count: number) => countOf(count, 'lead', 'leads')
export const nobodyFound = (text: string) => `Nenhum corretor com "${text}"`
export const removeChip = (name: string) => `Remover ${name}`
export const retryChip = (name: string) => `Não foi possível atualizar ${name}. Tentar de novo`
export const chosenCount = (count: number) => countOf(count, 'selecionado', 'selecionados')
export const handOverAction = (count: number) => `Passar ${leads(count)}`
export const handedOver = (count: number, broker: string) =>
  `${leads(count)} ${count === 1 ? 'passou' : 'passaram'} para ${broker}`
export const mergedToo = (count: number) =>
  count === 1
    ? '1 já estava lá: os dois contatos viraram um só.'
    : `${count} já estavam lá: cada um virou um só contato.`
export const undone = (count: number) =>
  `${leads(count)} ${count === 1 ? 'voltou' : 'voltaram'} para quem estava.`
/** One line of a lead's owners: '21/11/2026 09:41 · admin passou de Camila para Juliana'. */
export const ownerChange = (change: {
  changedAtMs: number
  changedBy: string
  from: string | null
  to: string | null
}) =>
  `${formatDateTime(change.changedAtMs)} · ${change.changedBy} passou de ${brokerName(change.from ?? NO_BROKER)} para ${brokerName(change.to ?? NO_BROKER)}`
