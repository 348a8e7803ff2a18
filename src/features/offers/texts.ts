// Sentences of the leads that rotations offer a broker.
import type { OwnShare, Pooled } from './data.ts'
import { countOf, formatDuration, formatMoment } from '#domain/format.ts'
import { leadsGot } from '#domain/rotation/reasons.ts'

export const TO_ACCEPT = 'Leads para aceitar'
export const NEW_LEAD = 'Novo lead para você'
export const TIME_LEFT = 'Tempo para aceitar'
export const ACCEPT = 'Aceitar'
export const ACCEPTING = 'Aceitando...'
export const PASS = 'Passar'
export const PASSING = 'Passando...'
export const ACCEPTED = 'Lead aceito'
export const PASSED = 'Você passou a vez neste lead'
export const OFFLINE = 'Você precisa de internet para responder.'
export const NO_LONGER = 'Este lead já não está esperando por você'
export const POOL = 'Bolsão'
export const POOL_HINT = 'Ninguém aceitou estes leads a tempo: o primeiro que pegar fica com ele.'
export const POOL_EMPTY = 'O bolsão está vazio.'
export const SEE_POOL = 'Ver'
export const CLAIM = 'Pegar'
export const CLAIMING = 'Pegando...'
export const CLAIMED = 'O lead é seu'
const FAILED = {
  accept: 'Erro ao aceitar o lead',
  pass: 'Erro ao passar o lead',
  claim: 'Erro ao pegar o lead',
}

export const failed = (intent: keyof typeof FAILED, message: string) => `${FAILED[intent]}: ${message}`
export const nameOf = (firstName: string | null) => firstName ?? 'Sem nome'
export const timeLeft = (ms: number) => formatDuration(Math.ceil(Math.max(0, ms) / 1_000))
export const acceptLabel = (name: string) => `${ACCEPT} ${name}`
export const passLabel = (name: string) => `${PASS} ${name}`
export const claimLabel = (name: string) => `${CLAIM} ${name}`
export const offerSpoken = (firstName: string | null, development: string | null) =>
  [NEW_LEAD, nameOf(firstName), ...(development === null ? [] : [development])].join(': ')
export const poolCount = (pool: readonly Pooled[]) => `${countOf(pool.length, 'lead', 'leads')} no bolsão`

export const ROTATION = 'Roleta'
export const GETTING = 'Recebendo'
export const PAUSED = 'Em pausa'
export const PAUSE_TITLE = 'Receber leads da roleta'
export const PAUSE_HINT = 'Em pausa, a vez passa aos outros. Os leads que já são seus ficam.'
export const RESUME = 'Voltar a receber'
export const HOUR = 'Pausar por 1 hora'
export const UNTIL_TOMORROW = 'Pausar até amanhã às 8h'
export const UNTIL_RESUMED = 'Pausar até eu voltar'
export const PAUSE_FAILED = 'Erro ao mudar a pausa'
export const SHARES = 'Sua parte nos últimos 30 dias'
export const whereTheyWent = (count: number) =>
  count === 1 ? 'Para onde foi 1 lead:' : `Para onde foram os ${count.toLocaleString('pt-BR')} leads:`

export const isPausedAt = (untilMs: number | null, nowMs: number) => untilMs !== null && untilMs > nowMs

export function pausedText(untilMs: number | null, nowMs: number): string {
  if (untilMs === null) return 'Você está recebendo leads na sua vez.'
  return untilMs === Infinity
    ? 'Em pausa até você voltar.'
    : `Em pausa até ${formatMoment(untilMs, nowMs).replace(/^às /, 'as ')}.`
}

const percent = (ratio: number) =>
  ratio.toLocaleString('pt-BR', { style: 'percent', maximumFractionDigits: 0 })

/** '6 de 41 leads (15 %) · pelo seu peso, 17 %'. */
export function shareText({ kinds, total, weight, totalWeight }: OwnShare): string {
  const got = leadsGot(kinds)
  if (total === 0) return 'Nenhum lead passou por esta roleta.'
  const part = `${got.toLocaleString('pt-BR')} de ${countOf(total, 'lead', 'leads')} (${percent(got / total)})`
  return totalWeight ? `${part} · pelo seu peso, ${percent(weight / totalWeight)}` : part
}
