// Computes the parts of the dashboard's four charts, and the captions of slices and bars.
import type { Count, DayCount } from './dashboard.ts'
import { sourceLabel } from '../lead/source.ts'

/** A part of a chart, with its share of the whole. */
export type Part = {
  /** The value by which queries filter the leads of this part. */
  value: string
  label: string
  count: number
  /** The share of the whole chart, from 0 to 1. */
  share: number
}

/** Smaller slices (by share) and shorter bars (by length) have no room for a percentage. */
const LABEL_SHARE = 0.1
const LABEL_BAR = 0.2
const MIN_BAR = 0.08
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

/**
 * Returns the label of a stage. The four original stages have labels of their own, other stages their name. An unknown
 * slug is shown as it is.
 */
export function statusLabel(slug: string, stageNames: ReadonlyMap<string, string>): string {
  return STATUS_LABEL[slug] ?? stageNames.get(slug) ?? slug
}

/** `dayNumber` is '0' for Domingo to '6' for Sábado. */
export function weekdayName(dayNumber: string): string {
  return WEEKDAYS[Number(dayNumber)]?.name ?? dayNumber
}

export function statusParts(rows: readonly Count[], stageNames: ReadonlyMap<string, string>): Part[] {
  return toParts(rows, (slug) => statusLabel(slug, stageNames))
}

/** Sources that this version does not know are added to 'no source'. */
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

/** In the order of the week, without days that have no leads. */
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

/** Returns the percentage on a slice, for example '38%'; empty if it does not fit. */
export function sliceCaption({ share }: Part): string {
  return share >= LABEL_SHARE ? formatWholePercent(share) : ''
}

/** Returns the length of a bar relative to the longest one, from 0 to 1. */
function barLength({ count }: Part, most: number): number {
  return count / most
}

/** Small bars get a minimum height, so that they stay visible. */
export function dayBarHeight(part: Part, most: number): number {
  return Math.max(MIN_BAR, barLength(part, most))
}

/** Returns the part's share of all leads, inside its bar; empty if it does not fit. */
export function barCaption(part: Part, most: number): string {
  return barLength(part, most) > LABEL_BAR ? formatWholePercent(part.share) : ''
}

export function cutCampaign(name: string): string {
  return name.length > MAX_CAMPAIGN ? `${name.slice(0, MAX_CAMPAIGN)}...` : name
}

const formatWholePercent = (share: number) => `${Math.round(share * 100)}%`

/** Returns the parts of a chart, the largest first. */
function toParts(rows: readonly Count[], labelOf: (value: string) => string): Part[] {
  const shown = rows.filter(({ count }) => count > 0).toSorted((one, other) => other.count - one.count)
  const total = sumOf(shown)
  return shown.map(({ value, count }) => ({ value, label: labelOf(value), count, share: count / total }))
}

const sumOf = (rows: readonly Count[]) => rows.reduce((sum, { count }) => sum + count, 0)

/** Returns the text in lower case and without accents, for comparisons. */
function plain(text: string): string {
  return text.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
}
