// Texts of 'Enviar depois'.
import { momentWords } from '#domain/next-action/words.ts'

export const SEND_LATER = 'Enviar depois'
export const SCHEDULE_FAILED = 'Não foi possível agendar a mensagem.'

/** For example 'amanhã, 9h'. */
export const commaMoment = (ms: number, nowMs: number) => momentWords(ms, nowMs).replace(' ', ', ')
