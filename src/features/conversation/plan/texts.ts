// Texts of plans of next tries.
import { calendarDay } from '#domain/format.ts'
import { countOf } from '#domain/count.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { momentWords } from '#domain/next-action/words.ts'
import { isSentByItself, type LeadPlan, type PlanEnd, type PlanStep, type Try } from '#domain/plan/plan.ts'

export const NEXT_TRIES = 'Próximas tentativas'
export const PLAN = 'Plano de tentativas'
export const UNDO = 'Desfazer'
export const SAVE_FAILED = 'Não foi possível salvar o plano.'
export const STOPS_ITSELF = 'Para sozinho se o lead responder.'

export const TRY_LABEL = { call: 'Ligar', message: 'Mensagem', task: 'Tarefa' } as const

export const nameOf = (lead: Lead) => leadTitle(lead).split(' ')[0] ?? ''

const ALL = ['', 'Aceitar', 'Aceitar as duas', 'Aceitar as três', 'Aceitar as quatro', 'Aceitar as cinco']
export const acceptWords = (count: number) => ALL[count] ?? 'Aceitar'
export const acceptedWords = (count: number) => `Plano aceito: ${countOf(count, 'tentativa', 'tentativas')}`
/** For example 'amanhã 10h · sex 15h · seg 9h'. */
export const timesOf = (tries: readonly Pick<Try, 'dueAtMs'>[], nowMs: number) =>
  tries.map(({ dueAtMs }) => momentWords(dueAtMs, nowMs)).join(' · ')

/** Tells what happens at a try's time: the message is sent, the broker writes it, or the broker is reminded. */
export function howOf(one: Pick<Try, 'kind' | 'text'>): string {
  if (isSentByItself(one)) return 'sai sozinha'
  return one.kind === 'message' ? 'você escreve na hora' : 'aviso 10 min antes'
}

export const silentWords = (name: string, sinceMs: number, nowMs: number) =>
  `${name} não escreve há ${countOf(calendarDay(nowMs) - calendarDay(sinceMs), 'dia', 'dias')}`

/** Tells why a plan ended; null if it goes on, or ended without a reason to tell. */
export function endWords({ reason }: LeadPlan, name: string): string | null {
  return reason && `Plano encerrado: ${WHY[reason](name)}.`
}

const WHY: Record<PlanEnd, (name: string) => string> = {
  answered: (name) => `${name} respondeu`,
  visit: () => 'visita marcada',
  stage: () => 'o lead foi concluído',
  'opted-out': (name) => `${name} pediu para não receber mensagens`,
  private: () => 'não é lead',
  merged: () => 'o contato unido já tinha um plano',
  stopped: () => 'você parou',
  declined: () => 'você não quis tentar',
  undone: () => 'desfeito',
  agent: () => 'o assistente parou aqui',
}

export const noAnswerWords = (count: number) =>
  `Sem resposta em ${countOf(count, 'tentativa', 'tentativas')}.`

export const doneWords = (done: number, all: number) => `${done} de ${all} ${done === 1 ? 'feita' : 'feitas'}`

const REFUSED: Record<string, string> = {
  'opted-out': 'Não saiu: pediu para não receber mensagens',
  'first-texts': 'Não saiu: este WhatsApp já começou conversas demais hoje',
  'no-number': 'Não saiu: sem número de WhatsApp',
  'number-in-doubt': 'Não saiu: o número está em dúvida',
  'no-owner': 'Não saiu: o lead está sem corretor',
  late: 'Passou da hora: toque para escolher outra',
  'handed-over': 'Espera você confirmar',
  restored: 'Pode já ter saído: espera você confirmar',
  'not-linked': 'Espera o WhatsApp conectar',
}

const BECAME: Record<string, string> = {
  read: 'lida, sem resposta',
  delivered: 'entregue, sem resposta',
  sent: 'enviada',
  queued: 'na fila',
  failed: 'falhou',
  unknown: 'sem confirmação',
}

export function stepDetail(step: PlanStep, isLast: boolean): string {
  if (step.state === 'done') return step.delivery === null ? 'feita' : (BECAME[step.delivery] ?? 'enviada')
  if (step.why !== null) return REFUSED[step.why] ?? 'Não saiu'
  if (isLast) return 'Última. Depois você decide'
  if (isSentByItself(step)) return `“${step.text}”`
  return step.kind === 'message' ? 'Você escreve na hora' : step.text || 'Aviso no celular 10 min antes'
}

/** 'Fica fora do horário: passou para seg 9h.' */
export const movedWords = (ms: number, nowMs: number) =>
  `Fica fora do horário: passou para ${momentWords(ms, nowMs)}.`
