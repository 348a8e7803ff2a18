// Sentences of how a rotation hands out: rules of a seat, acceptance, shares, the replay.
import { countOf } from '#domain/format.ts'
import type { SeatRules, Shift } from '#domain/rotation/rotation.ts'
import { toClock } from '#domain/rotation/editing.ts'

export const RULES_OF = 'Regras de'
export const RULES = 'Regras'
export const GETS_LEADS = 'Recebe leads desta roleta'
export const GETS_LEADS_HINT = 'Desativado, guarda o lugar na fila sem receber.'
export const WEIGHT = 'Peso'
export const WEIGHT_HINT = 'Com peso 2, recebe o dobro de quem tem peso 1.'
export const DAILY_CAP = 'Limite por dia'
export const NO_CAP = 'Sem limite'
export const SHIFTS = 'Plantão'
export const ANY_TIME = 'A qualquer hora'
export const IN_SHIFTS = 'Só em horários'
export const ADD_SHIFT = 'Adicionar horário'
export const FROM = 'Das'
export const TO = 'Às'
export const OVERNIGHT = 'Passa da meia-noite e termina no dia seguinte.'
export const APPLY = 'Aplicar'
export const APPLY_HINT = 'Vale quando você salvar a roleta.'
export const SHIFTS_FAULT = {
  none: 'Adicione ao menos um horário.',
  days: 'Escolha ao menos um dia em cada horário.',
  hours: 'O início e o fim de um horário são iguais.',
}
export const WEEKDAYS = ['seg', 'ter', 'qua', 'qui', 'sex', 'sáb', 'dom'] as const
export const WEEKDAY_NAMES = [
  'Segunda-feira',
  'Terça-feira',
  'Quarta-feira',
  'Quinta-feira',
  'Sexta-feira',
  'Sábado',
  'Domingo',
] as const
export const shiftLabel = (place: number) => `Horário ${place}`
export const removeShiftLabel = (place: number) => `Remover horário ${place}`

export const SETTINGS = 'Distribuição'
export const ACCEPTANCE = 'O corretor precisa aceitar o lead'
export const ACCEPTANCE_HINT =
  'Ele recebe um aviso com nome e empreendimento. Se passar ou não aceitar a tempo, o lead vai ao próximo.'
export const ACCEPT_MINUTES = 'Tempo para aceitar'
export const ANSWER_MINUTES = 'Tempo para responder ao lead'
export const NO_LIMIT = 'Sem prazo'
export const HOPS = 'Tentativas antes do bolsão'
export const HOPS_HINT = 'Depois disso, qualquer corretor da roleta pode pegar o lead.'
export const TEXT_CODE = 'Código nos links de WhatsApp'
export const TEXT_CODE_HINT =
  'Quem escreve ao número central com este código no texto entra nesta roleta. De 2 a 20 letras e números.'
export const TEXT_CODE_FAULT = 'Use de 2 a 20 letras e números.'

export const SHARES = 'Participação nos últimos 30 dias'
export const SHARES_FAILED = 'Não foi possível carregar a participação.'
export const NO_SHARES = 'Nenhum lead distribuído nos últimos 30 dias.'
export const OUT_OF_IT = 'fora da roleta'

export const REPLAY = 'Simular com os leads do último mês'
export const REPLAY_HINT =
  'Refaz a distribuição dos leads dos últimos 30 dias com as regras como estão e como ficariam. Nada muda de verdade.'
export const RUN_REPLAY = 'Simular'
export const RUNNING = 'Simulando...'
export const REPLAY_FAILED = 'Erro ao simular'
export const AS_IT_IS = 'Hoje'
export const AS_IT_WOULD = 'Com as mudanças'
export const NO_ONE = 'Sem corretor na hora'
export const NO_ARRIVALS = 'Nenhum lead passou por esta roleta nos últimos 30 dias.'
export const OUTDATED_REPLAY = 'As regras mudaram depois desta simulação.'
export const replayed = (count: number) =>
  `${countOf(count, 'lead simulado', 'leads simulados')}. Nada é alterado.`

/** '5 minutos', '2 horas', '1 dia'. */
export function minutesText(minutes: number): string {
  if (minutes % 1_440 === 0) return countOf(minutes / 1_440, 'dia', 'dias')
  if (minutes % 60 === 0) return countOf(minutes / 60, 'hora', 'horas')
  return countOf(minutes, 'minuto', 'minutos')
}

/** What of a seat's rules is not as everyone's. */
export function seatFacts({ weight, dailyCap, shifts }: SeatRules): string[] {
  return [
    ...(weight === 1 ? [] : [`peso ${weight}`]),
    ...(dailyCap === null ? [] : [`até ${dailyCap} por dia`]),
    ...(shifts === null ? [] : [shifts.map(shiftText).join(', ')]),
  ]
}

/** 'seg a sex, 9:00 a 18:00'. */
export function shiftText({ days, from, to }: Shift): string {
  const sorted = [...new Set(days)].toSorted((one, other) => one - other)
  const [first = 1] = sorted
  const last = sorted.at(-1) ?? first
  const isRun = sorted.length > 2 && last - first === sorted.length - 1
  const names = isRun ? `${dayOf(first)} a ${dayOf(last)}` : sorted.map(dayOf).join(', ')
  return `${names} ${hourOf(from)}–${hourOf(to)}`
}

const dayOf = (day: number) => WEEKDAYS[day - 1] ?? ''
const hourOf = (minutes: number) =>
  toClock(minutes)
    .replace(/^0(?=\d:)/, '')
    .replace(':00', 'h')
