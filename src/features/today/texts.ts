// Sentences of 'Hoje'.
import { dateParts } from '#domain/zone.ts'

export const TODAY = 'Hoje'
export const WAITING = 'Esperando você'
export const LATE = 'Atrasadas'
export const IDLE = 'Sem próxima ação'
export const IDLE_HINT = 'Leads ativos sem nada marcado'
export const ALL_QUIET = 'Ninguém esperando você'
export const ALL_QUIET_HINT = 'Tudo respondido e nada atrasado.'
export const FIRST_DAY = 'Seu dia aparece aqui'
export const FIRST_DAY_HINT = 'Quem espera resposta, visitas e tarefas, nessa ordem.'
export const RESCHEDULE = 'Remarcar'
export const TODAY_KEYS =
  'Setas andam entre as linhas. Enter abre a conversa; Espaço conclui; A adia uma hora.'

export const SCHEDULED = 'Mensagem agendada'
export const GOES_UNLESS_ANSWERED = 'Só se o lead não responder antes'
export const STANDS_STILL = 'Não saiu. Abra a conversa para decidir.'

export const seeOthers = (count: number) => `Ver os outros ${count}`
export const target = (minutes: number) => `meta ${minutes} min`
export const was = (when: string) => `Era ${when}`
export const finishOf = (what: string) => `Concluir: ${what}`
export const passedTarget = (name: string) => `${name} passou da meta de resposta.`

const WEEKDAYS = ['Dom', 'Seg', 'Ter', 'Qua', 'Qui', 'Sex', 'Sáb']
const MONTHS = [
  'janeiro',
  'fevereiro',
  'março',
  'abril',
  'maio',
  'junho',
  'julho',
  'agosto',
  'setembro',
  'outubro',
  'novembro',
  'dezembro',
]

/** 'Seg, 23 de novembro' */
export function dayTitle(ms: number): string {
  const { day, month, year } = dateParts(ms)
  const weekday = new Date(`${year}-${month}-${day}T12:00Z`).getUTCDay()
  return `${WEEKDAYS[weekday]}, ${Number(day)} de ${MONTHS[Number(month) - 1]}`
}
