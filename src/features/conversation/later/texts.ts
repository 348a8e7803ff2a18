// Sentences of 'Enviar depois'.
import { spokenHour } from '#domain/format.ts'
import { momentWords } from '#domain/next-action-words.ts'

export const SEND_LATER = 'Enviar depois'
export const MESSAGE = 'Mensagem'
export const WHEN = 'Quando'
export const CHOOSE_TIME = 'Escolher dia e hora'
export const DAY_AND_HOUR = 'Dia e hora'
export const ONLY_IF_SILENT = 'Só se ele não responder antes'
export const SCHEDULE_FAILED = 'Não foi possível agendar a mensagem.'
export const CANCEL_FAILED = 'Não foi possível cancelar a mensagem.'
export const SEND_NOW = 'Enviar agora'
export const SEND_ANYWAY = 'Enviar assim mesmo'
export const CHANGE = 'Mudar'
export const CANCEL = 'Cancelar'
export const DISCARD = 'Descartar'
export const UNDO = 'Desfazer'
export const CANCELLED = 'Mensagem agendada cancelada'
export const SCHEDULED = 'Mensagens agendadas'
export const WORDLESS = 'O texto aparece quando a internet voltar.'
const LEAVING = 'Saindo…'

export const forWhom = (name: string) => `Para ${name}`
export const onlyIfSilentHint = (name: string) => `Se ${name} escrever, a mensagem não sai e você é avisado.`
/** 'amanhã, 9h' */
export const commaMoment = (ms: number, nowMs: number) => momentWords(ms, nowMs).replace(' ', ', ')
export const scheduleFor = (ms: number, nowMs: number) => `Agendar para ${commaMoment(ms, nowMs)}`
export const scheduledFor = (ms: number, nowMs: number) => `Mensagem agendada para ${commaMoment(ms, nowMs)}`
export const outsideHours = (ms: number, nowMs: number) =>
  `Sai ${commaMoment(ms, nowMs)}: fora do horário permitido.`

/** What stands under a text that waits, or why it did not go. */
export function statusWords(
  {
    why,
    dueAtMs,
    unlessAnswered,
    changedAtMs,
  }: {
    why: string | null
    dueAtMs: number | null
    unlessAnswered: boolean
    changedAtMs: number | null
  },
  name: string,
  nowMs: number,
): string {
  switch (why) {
    case null:
      if (dueAtMs === null) return LEAVING
      return `Sai ${commaMoment(dueAtMs, nowMs)}${unlessAnswered ? ', se ele não responder' : ''}`
    case 'answered':
      return changedAtMs === null
        ? `Não saiu: ${name} respondeu antes.`
        : `Não saiu: ${name} respondeu às ${spokenHour(changedAtMs)}.`
    case 'not-linked':
      return 'Espera o WhatsApp conectar'
    case 'late':
      return 'Passou da hora.'
    case 'handed-over':
      return 'Outro corretor escreveu. Você decide se ela sai.'
    case 'opted-out':
      return 'Não saiu: esta pessoa pediu para não receber mensagens.'
    case 'first-texts':
      return 'Não saiu: este WhatsApp já começou conversas demais hoje.'
    case 'no-number':
      return 'Não saiu: este lead não tem um número de WhatsApp.'
    default:
      return 'Não saiu.'
  }
}
