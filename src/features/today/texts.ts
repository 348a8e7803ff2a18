// Texts of 'Hoje'.
import { dateParts } from '#domain/zone.ts'

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

/** For example 'Seg, 23 de novembro'. */
export function dayTitle(ms: number): string {
  const { day, month, year } = dateParts(ms)
  const weekday = new Date(`${year}-${month}-${day}T12:00Z`).getUTCDay()
  return `${WEEKDAYS[weekday]}, ${Number(day)} de ${MONTHS[Number(month) - 1]}`
}
