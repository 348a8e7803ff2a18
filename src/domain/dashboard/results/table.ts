// The results as a file, and the titles of their period and columns. Pure.
import type { Cell } from '#domain/csv.ts'
import { spanWords } from '#domain/lead/path.ts'
import type { DaySpan } from '../period.ts'
import { FEW, type Figures, isWorthUntold, NOTHING } from './figures.ts'
import { type Line, lineName } from './lines.ts'

const monthOf = (day: string) =>
  new Date(`${day}T12:00:00Z`).toLocaleDateString('pt-BR', { month: 'long', timeZone: 'UTC' })

/** '1 a 23 de novembro', '20 de outubro a 23 de novembro', with the year where it is another. */
export function spanTitle({ from, to }: DaySpan, today: string): string {
  const dayOf = (day: string) => String(Number(day.slice(8)))
  const yearOf = (day: string) => day.slice(0, 4)
  const year = yearOf(to) === yearOf(today) && yearOf(from) === yearOf(to) ? '' : ` de ${yearOf(to)}`
  if (from === to) return `${dayOf(to)} de ${monthOf(to)}${year}`
  if (from.slice(0, 7) === to.slice(0, 7)) return `${dayOf(from)} a ${dayOf(to)} de ${monthOf(to)}${year}`
  const yearBefore = yearOf(from) === yearOf(to) ? '' : ` de ${yearOf(from)}`
  return `${dayOf(from)} de ${monthOf(from)}${yearBefore} a ${dayOf(to)} de ${monthOf(to)}${year}`
}

export const inTimeTitle = (targetSeconds: number) => `Em até ${spanWords(targetSeconds)}`

/** Returns the shown table as a file: each figure, and beside it the one of the days before. */
export function toTable(
  lines: readonly Line[],
  target: number,
  names: { now: string; before: string | null },
): { header: string[]; rows: Cell[][] } {
  const share = (of: number, percent: number | null) => (of < FEW ? null : percent)
  const columns: [string, (figures: Figures) => Cell][] = [
    ['Recebidos', ({ received }) => received],
    ['Respondidos', ({ answered }) => answered],
    ['Mediana até a resposta (min)', ({ received, median }) => received < FEW || median === null ? null : Math.round(median / 6) / 10],
    [`${inTimeTitle(target)} (%)`, ({ decided, within }) => share(decided, within)],
    ['Visitas marcadas', ({ booked }) => booked],
    ['Visitas feitas', ({ held }) => held],
    ['Visitas com falta', ({ missed }) => missed],
    ['Visitas sem resultado', ({ untold }) => untold],
    ['Fechados', ({ won }) => won],
    ['Valor (R$)', (figures) => (isWorthUntold(figures) ? null : figures.cents / 100)],
    ['Conversão (%)', ({ cohort, conversion }) => share(cohort, conversion)],
    ['Leads da conversão', ({ cohort }) => cohort],
    ['Convertidos', ({ converted }) => converted],
    ['Perdidos', ({ lost }) => lost],
  ] // prettier-ignore
  const { before } = names
  return {
    header: [
      'Corretor',
      ...columns.flatMap(([title]) =>
        before === null ? [title] : [`${title} · ${names.now}`, `${title} · ${before}`],
      ),
      'Esperando agora',
    ],
    rows: lines.map(({ now, before: earlier, ...line }) => [
      lineName(line),
      ...columns.flatMap(([, read]) =>
        before === null ? [read(now)] : [read(now), read(earlier ?? NOTHING)],
      ),
      now.waiting,
    ]),
  }
}
