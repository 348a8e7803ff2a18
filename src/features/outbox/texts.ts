// Texts of the outbox and of its strip.
import { countOf } from '#domain/count.ts'
import { formatDate, formatHour } from '#domain/format.ts'
import { OFFLINE } from '#ui/texts.ts'

const changes = (count: number) => countOf(count, 'alteração', 'alterações')

/** Shown if the device has a network but the portal does not answer. */
export const PORTAL_AWAY = 'O portal não responde'

export const offlineWith = (count: number, what = OFFLINE) => `${what} · ${changes(count)} na fila`
/** Names the day too, if the data is not from today. */
export const offlineSince = (ms: number, nowMs: number, what = OFFLINE) =>
  `${what} · mostrando dados de ${formatDate(ms) === formatDate(nowMs) ? '' : `${formatDate(ms)} `}${formatHour(ms)}`
export const back = (count: number) => `De volta. Enviando ${changes(count)}…`
export const toDecide = (count: number) =>
  count === 1 ? '1 alteração espera sua decisão' : `${count} alterações esperam sua decisão`

export const DISCARD = 'Descartar'
