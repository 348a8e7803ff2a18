// The fields of a lead that a broker edits beyond name and notes, with their formats.
import { formatNumber } from '../count.ts'

/** The same reasons stand in 04_board.sql (check of loss_reason) and 22_lead_sheet.sql. */
export const LOSS_REASONS = {
  bought_elsewhere: 'Comprou com outra imobiliária',
  no_means: 'Sem condição agora',
  no_answer: 'Parou de responder',
  not_wanted: 'Não é o que procura',
  wrong_contact: 'Contato errado',
  other: 'Outro motivo',
} as const

export type LossReason = keyof typeof LOSS_REASONS

/** Returns the label of a loss reason. 'none', and codes of other versions, count as no reason. */
export const lossLabel = (reason: string): string =>
  Object.entries(LOSS_REASONS).find(([known]) => known === reason)?.[1] ?? 'Motivo não informado'

/** A lead's editable fields, by the server's names. null and '' clear a field. `value` is in cents. */
export type LeadFields = {
  email: string | null
  value: number | null
  development: string | null
  campaign: string | null
  tags: readonly string[]
  loss_reason: LossReason | null
}

export const FIELD_LABEL = {
  email: 'E-mail',
  value: 'Valor',
  development: 'Empreendimento',
  campaign: 'Campanha',
  tags: 'Etiquetas',
  loss_reason: 'Motivo',
} satisfies Record<keyof LeadFields, string>

export const MAX_TAG = 24
export const MAX_TAGS = 12

const REAIS = { style: 'currency', currency: 'BRL', maximumFractionDigits: 2 } as const

/** Returns a rounded sum, such as 'R$ 201,5 mi' or 'R$ 482 mil'. */
export function formatTotal(cents: number): string {
  const reais = Math.round(cents / 100)
  if (reais >= 1_000_000)
    return `R$ ${(reais / 1_000_000).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} mi`
  if (reais >= 1_000) return `R$ ${formatNumber(Math.round(reais / 1_000))} mil`
  return `R$ ${formatNumber(reais)}`
}

/** For example 'R$ 640 mil', 'R$ 1,2 mi' or 'R$ 850,50'. */
export function formatValue(cents: number): string {
  const reais = cents / 100
  const inUnits = (unit: number, word: string) =>
    `R$ ${(reais / unit).toLocaleString('pt-BR', { maximumFractionDigits: 2 })} ${word}`
  if (reais >= 1_000_000 && cents % 1_000_000 === 0) return inUnits(1_000_000, 'mi')
  if (reais >= 1_000 && cents % 1_000 === 0) return inUnits(1_000, 'mil')
  return reais.toLocaleString('pt-BR', REAIS).replaceAll('\u00a0', ' ')
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  mil: 1_000,
  k: 1_000,
  mi: 1_000_000,
  milhão: 1e6,
  milhões: 1e6,
}
const MAX_CENTS = 100_000_000_000

/** Reads '640 mil', 'R$ 1,2 mi', '850.000' or '850000,50' as cents; null for anything else. */
export function readValue(text: string): number | null {
  const read = /^(?:r\$)?\s*(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,3}))?\s*(mil|k|mi|milhão|milhões)?$/i.exec(
    text.trim(),
  )
  if (!read) return null
  const [, whole = '', rest = '0', unit = ''] = read
  const cents = Math.round(
    Number(`${whole.replaceAll('.', '')}.${rest}`) * (UNITS[unit.toLowerCase()] ?? 1) * 100,
  )
  return cents <= MAX_CENTS ? cents : null
}
