// Texts of the leads that rotations offer.
import type { OwnShare } from './data.ts'
import { countOf, formatNumber } from '#domain/count.ts'
import { formatDuration, formatMoment } from '#domain/format.ts'
import { leadsGot } from '#domain/rotation/reasons.ts'

export const NEW_LEAD = 'Novo lead para você'
export const OFFLINE = 'Você precisa de internet para responder.'

export const nameOf = (firstName: string | null) => firstName ?? 'Sem nome'
export const timeLeft = (ms: number) => formatDuration(Math.ceil(Math.max(0, ms) / 1_000))
export const offerSpoken = (firstName: string | null, development: string | null) =>
  [NEW_LEAD, nameOf(firstName), ...(development === null ? [] : [development])].join(': ')

export const ROTATION = 'Roleta'

export const isPausedAt = (untilMs: number | null, nowMs: number) => untilMs !== null && untilMs > nowMs

export function pausedText(untilMs: number | null, nowMs: number): string {
  if (untilMs === null) return 'Você está recebendo leads na sua vez.'
  return untilMs === Infinity
    ? 'Em pausa até você voltar.'
    : `Em pausa até ${formatMoment(untilMs, nowMs).replace(/^às /, 'as ')}.`
}

const percent = (ratio: number) =>
  ratio.toLocaleString('pt-BR', { style: 'percent', maximumFractionDigits: 0 })

/** For example '6 de 41 leads (15 %) · pelo seu peso, 17 %'. */
export function shareText({ kinds, total, weight, totalWeight }: OwnShare): string {
  const got = leadsGot(kinds)
  if (total === 0) return 'Nenhum lead passou por esta roleta.'
  const part = `${formatNumber(got)} de ${countOf(total, 'lead', 'leads')} (${percent(got / total)})`
  return totalWeight ? `${part} · pelo seu peso, ${percent(weight / totalWeight)}` : part
}
