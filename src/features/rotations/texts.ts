// Texts of 'Gerenciamento de Roletas'.
import { countOf } from '#domain/count.ts'
import type { PlanChanges } from '#domain/rotation/editing.ts'
import type { SeatRules, Shift } from '#domain/rotation/rotation.ts'
import { toClock } from '#domain/rotation/editing.ts'

export const NEW = 'Nova Roleta'
export const NAME = 'Nome do Empreendimento'
export const NAME_MISSING = 'Nome do empreendimento é obrigatório'

const NO_CHANGES = 'Nenhuma alteração'

export const brokerCount = (count: number) => countOf(count, 'corretor', 'corretores')
export const leadCount = (count: number) => countOf(count, 'lead', 'leads')

/** For example 'Ordem e 1 corretor alterados'. */
export function changesText(changes: PlanChanges | null): string {
  if (!changes) return NO_CHANGES
  const { hasName, hasOrder, hasSettings, seatCount } = changes
  const parts = [
    { isIn: hasName, text: 'nome', end: 'alterado' },
    { isIn: hasOrder, text: 'ordem', end: 'alterada' },
    { isIn: hasSettings, text: 'distribuição', end: 'alterada' },
    {
      isIn: seatCount > 0,
      text: brokerCount(seatCount),
      end: seatCount === 1 ? 'alterado' : 'alterados',
    },
  ].filter(({ isIn }) => isIn)
  const words = new Intl.ListFormat('pt-BR').format(parts.map(({ text }) => text))
  const end = parts.length === 1 ? (parts[0]?.end ?? '') : 'alterados'
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${end}`
}

export const OPEN_LEADS = 'Leads a distribuir'

export const RULES_OF = 'Regras de'
export const WEEKDAYS = ['seg', 'ter', 'qua', 'qui', 'sex', 'sáb', 'dom'] as const

/** For example '5 minutos', '2 horas', '1 dia'. */
export function minutesText(minutes: number): string {
  if (minutes % 1_440 === 0) return countOf(minutes / 1_440, 'dia', 'dias')
  if (minutes % 60 === 0) return countOf(minutes / 60, 'hora', 'horas')
  return countOf(minutes, 'minuto', 'minutos')
}

/** Lists in words how a seat's rules differ from the default. */
export function seatFacts({ weight, dailyCap, shifts }: SeatRules): string[] {
  return [
    ...(weight === 1 ? [] : [`peso ${weight}`]),
    ...(dailyCap === null ? [] : [`até ${dailyCap} por dia`]),
    ...(shifts === null ? [] : [shifts.map(shiftText).join(', ')]),
  ]
}

/** For example 'seg a sex, 9:00 a 18:00'. */
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
