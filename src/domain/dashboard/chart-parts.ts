// What the four charts show of the counts, and what stands on their slices and bars.
import type { Count, DayCount } from './dashboard.ts'
import { sourceLabel } from '../lead/source.ts'

/** A part of a chart: what it is called, how much of the whole it is. */
export type Part = {
  /** Names it to the database. */
  value: string
  label: string
  count: number
  /** 0..1 of what the chart shows. */
  share: number
}

/** A slice says its percentage from here on, a campaign's bar above the other. */
const LABEL_SHARE = 0.1
const LABEL_BAR = 0.2
const LEAST_BAR = 0.08
const MAX_CAMPAIGN = 25

const STATUS_LABEL: Readonly<Record<string, string>> = {
  new: 'Novo Lead',
  contacted: 'Contatado',
  qualified: 'Qualificado',
  closed: 'Fechado',
}

const UNKNOWN_SOURCE = 'desconhecida'
const NO_CAMPAIGN = ['', 'sem campanha', 'sem-campanha', 'unknown', 'desconhecida']

const WEEKDAYS = [
  { short: 'Dom', name: 'Domingo', spellings: ['sunday', 'domingo'] },
  { short: 'Seg', name: 'Segunda-feira', spellings: ['monday', 'segunda', 'segunda-feira'] },
  { short: 'Ter', name: 'Terça-feira', spellings: ['tuesday', 'terca', 'terca-feira'] },
  { short: 'Qua', name: 'Quarta-feira', spellings: ['wednesday', 'quarta', 'quarta-feira'] },
  { short: 'Qui', name: 'Quinta-feira', spellings: ['thursday', 'quinta', 'quinta-feira'] },
  { short: 'Sex', name: 'Sexta-feira', spellings: ['friday', 'sexta', 'sexta-feira'] },
  { short: 'Sáb', name: 'Sábado', spellings: ['saturday', 'sabado'] },
] as const

/** The four have a label, a stage its name, anything else is shown as it comes. */
export function statusLabel(slug: string, stageNames: ReadonlyMap<string, string>): string {
  return STATUS_LABEL[slug] ?? stageNames.get(slug) ?? slug
}

/** Of a day's number, 0 = Domingo. */
export function weekdayName(dayNumber: string): string {
  return WEEKDAYS[Number(dayNumber)]?.name ?? dayNumber
}

export function statusParts(rows: readonly Count[], stageNames: ReadonlyMap<string, string>): Part[] {
  return toParts(rows, (slug) => statusLabel(slug, stageNames))
}

/** An unknown source is no source. */
export function sourceParts(rows: readonly Count[]): Part[] {
  return toParts(
    rows.filter(({ value }) => plain(value) !== UNKNOWN_SOURCE),
    sourceLabel,
  )
}

export function campaignParts(rows: readonly Count[]): Part[] {
  return toParts(
    rows.filter(({ value }) => !NO_CAMPAIGN.includes(plain(value))),
    (name) => name.trim(),
  )
}

/** In the order of the week; days without a lead are left out. */
export function weekdayParts(rows: readonly DayCount[]): (Part & { short: string })[] {
  const shown = rows
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => one.dayNumber - other.dayNumber)
  const total = sumOf(shown)
  return shown.map(({ value, dayNumber, count }) => {
    const day = WEEKDAYS.find(({ spellings }) => spellings.some((known) => known === plain(value)))
    return {
      value: String(dayNumber),
      label: day?.name ?? value,
      short: day?.short ?? value,
      count,
      share: count / total,
    }
  })
}

/** '38%' on a slice that has room for it. */
export function sliceCaption({ share }: Part): string {
  return share >= LABEL_SHARE ? formatWholePercent(share) : ''
}

/** How long a bar is beside the longest, 0..1. */
function barLength({ count }: Part, most: number): number {
  return count / most
}

/** A day's bar is never so low that it cannot be seen. */
export function dayBarHeight(part: Part, most: number): number {
  return Math.max(LEAST_BAR, barLength(part, most))
}

/** Inside a bar that is wide enough: which part of all it is. */
export function barCaption(part: Part, most: number): string {
  return barLength(part, most) > LABEL_BAR ? formatWholePercent(part.share) : ''
}

export function cutCampaign(name: string): string {
  return name.length > MAX_CAMPAIGN ? `${name.slice(0, MAX_CAMPAIGN)}...` : name
}

const formatWholePercent = (share: number) => `${Math.round(share * 100)}%`

/** The most first. */
function toParts(rows: readonly Count[], labelOf: (value: string) => string): Part[] {
  const shown = rows.filter(({ count }) => count > 0).toSorted((one, other) => other.count - one.count)
  const total = sumOf(shown)
  return shown.map(({ value, count }) => ({ value, label: labelOf(value), count, share: count / total }))
}

const sumOf = (rows: readonly Count[]) => rows.reduce((sum, { count }) => sum + count, 0)

/** Without capitals and accents. */
function plain(text: string): string {
  return text.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
}
