// Sentences of visits.
import { spokenHour } from '#domain/format.ts'
import { visitWords } from '#domain/visit.ts'

export const BOOK_VISIT = 'Agendar visita'
export const DAY = 'Dia'
export const OTHER = 'Outro'
export const OTHER_HOUR = 'Outro horário'
export const LENGTH = '40 min de visita'
export const PLACE = 'Lugar'
export const PLACE_HINT = 'Onde vocês se encontram'
export const CONFIRM = 'Confirmar agora'
export const REMIND_EVE = 'Lembrar na véspera'
export const REMIND_HOURS = 'Lembrar 2 h antes'
export const TOO_SOON = 'Falta menos de 2 horas.'
export const LEFT_ALONE = 'Pediu para não receber mensagens.'
export const OUT_OF_HOURS = 'Fora do horário permitido.'
export const CONFIRMATION = 'Confirmação'
export const REMINDER = 'Lembrete'
export const OFFLINE_NOTE = 'Fica na fila. A confirmação sai quando a internet voltar.'
export const FREE_DAY = 'Sem horários neste dia.'
export const BOOK_FAILED = 'Não foi possível marcar a visita.'
export const UNDO = 'Desfazer'

export const hoursOn = (weekday: string) => `Horário: ${weekday}`
export const bookFor = (startsAtMs: number) => `Agendar para ${visitWords(startsAtMs)}`
export const bookedFor = (startsAtMs: number) => `Visita marcada para ${visitWords(startsAtMs)}`
/** '11h e 17h já têm visita.' */
export function takenWords(startsAtMs: readonly number[]): string {
  const hours = startsAtMs.map(spokenHour)
  const last = hours.at(-1) ?? ''
  const listed = hours.length > 1 ? `${hours.slice(0, -1).join(', ')} e ${last}` : last
  return `${listed} já ${hours.length > 1 ? 'têm' : 'tem'} visita.`
}

export const DID_IT_HAPPEN = 'A visita aconteceu?'
export const YES = 'Sim'
export const NO_SHOW = 'Não veio'
export const RESCHEDULE = 'Remarcar'
export const NOT_NOW = 'Perguntar depois'
export const HOW_WAS_IT = 'Como foi?'
export const LIKED = 'Gostou'
export const UNSURE = 'Em dúvida'
export const DISLIKED = 'Não gostou'
export const NOTED_MISSED = 'Anotado: não veio'
export const ANSWER_FAILED = 'Não foi possível salvar o próximo passo.'
