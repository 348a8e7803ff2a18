// Texts of 'Visão Geral do CRM' and of transfers.
import { displayName, NO_BROKER } from '#domain/broker.ts'
import { countOf } from '#domain/count.ts'

export const SEARCH = 'Buscar corretor...'
export const CONNECTED = 'WhatsApp conectado'
export const DISCONNECTED = 'WhatsApp desconectado'

export const TRANSFER_SHORT = 'Passar para...'
export const TRANSFER_FAILED = 'Erro ao passar os leads. Tente novamente.'

/** Returns a broker's name for display. Leads without a broker have the name 'Sem corretor'. */
export const brokerName = (instanceName: string) =>
  instanceName === NO_BROKER ? 'Sem corretor' : displayName(instanceName)
export const leads = (count: number) => countOf(count, 'lead', 'leads')
export const nobodyFound = (text: string) => `Nenhum corretor com "${text}"`
