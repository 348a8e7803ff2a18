// The campaigns of the demonstration's brokers, and how far each came.
import type { ErrorReason } from '#domain/campaign.ts'
import type { StageSlug } from './arcs.ts'

export type CampaignPlan = {
  username: string
  daysAgo: number
  hour: number
  stage: StageSlug
  status: 'completed' | 'stopped' | 'error'
  message: string
  /** Why the campaign is in error; only for status `error`. */
  fault?: ErrorReason
}

/** Oldest first. None is active, because nothing would continue it. */
export const CAMPAIGN_PLANS: readonly CampaignPlan[] = [
  {
    username: 'camila',
    daysAgo: 61,
    hour: 10.2,
    stage: 'arquivado',
    status: 'completed',
    message: 'Oi, {nome}! Voltou a ter unidade de 2 quartos no Jardim das Acácias. Ainda procura?',
  },
  {
    username: 'juliana',
    daysAgo: 58,
    hour: 15.4,
    stage: 'conversa',
    status: 'completed',
    message: 'Olá, {nome}! Sábado o decorado do Mirante do Lago abre até as 20h. Quer vir?',
  },
  {
    username: 'rafael',
    daysAgo: 52,
    hour: 9.6,
    stage: 'arquivado',
    status: 'completed',
    message: '{nome}, saiu uma condição nova no Porto Aurora. Posso te mandar?',
  },
  {
    username: 'marcelo',
    daysAgo: 47,
    hour: 14.1,
    stage: 'arquivado',
    status: 'completed',
    message: 'Oi, {nome}! A tabela do Mirante do Lago mudou este mês. Quer ver os valores?',
  },
  {
    username: 'camila',
    daysAgo: 44,
    hour: 16.5,
    stage: 'conversa',
    status: 'completed',
    message: 'Oi, {nome}! Consegui um horário no sábado para o decorado. Te espero?',
  },
  {
    username: 'tatiane',
    daysAgo: 41,
    hour: 11.3,
    stage: 'arquivado',
    status: 'completed',
    message: 'Oi, {nome}! Ainda pensando em sair do aluguel? Tenho novidade no Reserva Ipê.',
  },
  {
    username: 'juliana',
    daysAgo: 37,
    hour: 10.8,
    stage: 'arquivado',
    status: 'completed',
    message: 'Olá, {nome}! Reabriram as vendas da segunda torre do Mirante do Lago.',
  },
  {
    username: 'rafael',
    daysAgo: 33,
    hour: 15.9,
    stage: 'conversa',
    status: 'stopped',
    message: 'Oi, {nome}! Conseguiu conversar em casa sobre o apartamento?',
  },
  {
    username: 'priscila',
    daysAgo: 30,
    hour: 9.3,
    stage: 'new',
    status: 'completed',
    message: 'Oi, {nome}! Recebi seu contato e quero te ajudar. Qual o melhor horário para falar?',
  },
  {
    username: 'camila',
    daysAgo: 27,
    hour: 9.4,
    stage: 'arquivado',
    status: 'completed',
    message: 'Oi, {nome}! Aqui é a Camila. O Reserva Ipê está com entrada facilitada, posso te explicar?',
  },
  {
    username: 'marcelo',
    daysAgo: 24,
    hour: 13.7,
    stage: 'conversa',
    status: 'completed',
    message: 'Oi, {nome}! Sábado tem café da manhã no estande do Mirante do Lago.',
  },
  {
    username: 'juliana',
    daysAgo: 21,
    hour: 16.2,
    stage: 'arquivado',
    status: 'completed',
    message: '{nome}, as parcelas do Reserva Ipê baixaram. Quer uma simulação nova?',
  },
  {
    username: 'tatiane',
    daysAgo: 17,
    hour: 14.2,
    stage: 'conversa',
    status: 'completed',
    message: 'Oi, {nome}! Confirmando as visitas desta semana no Porto Aurora.',
  },
  {
    username: 'camila',
    daysAgo: 14,
    hour: 9.1,
    stage: 'new',
    status: 'error',
    fault: 'storage',
    message: 'Oi, {nome}! Aqui é a Camila, do Jardim das Acácias.',
  },
  {
    username: 'rafael',
    daysAgo: 13,
    hour: 9.1,
    stage: 'arquivado',
    status: 'completed',
    message: '{nome}, ainda procurando apartamento? Temos novidades no Vista Serrana.',
  },
  {
    username: 'marcelo',
    daysAgo: 9,
    hour: 10.8,
    stage: 'new',
    status: 'error',
    fault: 'data',
    message: 'Oi {nome}, tudo bem? Separei três plantas do Jardim das Acácias para você.',
  },
  {
    username: 'camila',
    daysAgo: 6,
    hour: 16.35,
    stage: 'negociacao',
    status: 'completed',
    message: 'Boa tarde, {nome}! Sábado tem plantão especial no Reserva Ipê.',
  },
  {
    username: 'rafael',
    daysAgo: 5,
    hour: 10.1,
    stage: 'conversa',
    status: 'completed',
    message: 'Oi, {nome}! Saiu a nova tabela do Mirante do Lago com entrada facilitada.',
  },
  {
    username: 'juliana',
    daysAgo: 2,
    hour: 15.1,
    stage: 'negociacao',
    status: 'completed',
    message: 'Olá, {nome}, a condição do mês do Reserva Ipê vai até sexta.',
  },
]
