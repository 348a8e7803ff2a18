// Words of the conversions.
import { isOfAccess } from '#domain/conversion.ts'
import { countOf, formatNumber } from '#domain/count.ts'
import { formatMoment } from '#domain/format.ts'
import type { Conversion, ConversionState, Replayed, Target } from './data.ts'

export const WAY: Readonly<Record<Target['target'], { name: string; what: string }>> = {
  messaging: {
    name: 'Pela conversa',
    what: 'Leads de anúncios de WhatsApp, com o código do clique. Exige a conta do WhatsApp (WABA) na Meta.',
  },
  crm: {
    name: 'Pelo CRM',
    what: 'Os outros leads: formulários da Meta, site, portais, e anúncios de WhatsApp sem WABA.',
  },
}
export const STEP: Readonly<Record<Conversion['step'], string>> = {
  qualified: 'Lead qualificado',
  visit: 'Visita feita',
  sale: 'Venda',
}
export const STATE: Readonly<Record<ConversionState, string>> = {
  waiting: 'Esperando',
  sent: 'Enviada',
  refused: 'Recusada',
  late: 'Tarde demais',
  unsure: 'Sem certeza',
}
export const TONE = {
  waiting: 'neutral',
  sent: 'success',
  refused: 'danger',
  late: 'neutral',
  unsure: 'warning',
} as const satisfies Record<ConversionState, string>

const FAULTS: Readonly<Record<string, string>> = {
  connection: 'não conectou',
  late: 'sem resposta em 10 s',
  cut: 'a conexão caiu antes da resposta',
  lost: 'o portal parou antes da resposta',
  unreadable: 'a resposta não era da Meta',
  'not-taken': 'a Meta respondeu que não recebeu',
}
const faultText = ({ fault, status }: Pick<Conversion, 'fault' | 'status'>) =>
  fault === null || fault === 'status'
    ? status === null
      ? ''
      : `resposta ${status}`
    : (FAULTS[fault] ?? fault)

const LOST_TOKEN = 'token-lost'

/** Tells that the token is at fault, not the events, and what to do. */
export function stoppedText(fault: string | null): string {
  if (fault === LOST_TOKEN)
    return 'O portal não consegue mais ler o token guardado. Informe o token de novo: as conversões esperam, e nada se perdeu.'
  const told = fault === null || fault === 'status' ? '' : ` A Meta respondeu: ${fault}`
  return `O token da Meta não vale mais, ou falta uma permissão a ele. Informe um token novo: as conversões esperam.${told}`
}

const awaitsToken = ({ state, fault, tries, ...answer }: Conversion) =>
  state === 'waiting' && tries > 0 && (fault === LOST_TOKEN || isOfAccess(answer))

export const testText = (code: string) =>
  `Com o código de teste ${code}: a Meta mostra os eventos em Testar eventos, e também os conta`

/** Tells how many events are sent again, and how many are too old or wait for another press. */
export function replayedText({ again, left, late }: Replayed): string {
  const words = [
    again === 0
      ? 'Nenhuma vai de novo'
      : again === 1
        ? '1 vai de novo'
        : `${formatNumber(again)} vão de novo`,
    left > 0 ? `${left === 1 ? 'falta 1' : `faltam ${formatNumber(left)}`}: mande outra vez` : '',
    late > 0 ? `${countOf(late, 'passou', 'passaram')} de 7 dias` : '',
  ]
  return `${words.filter(Boolean).join('; ')}.`
}

/** Tells what Meta answered and what the portal does next. */
export function detailOf(conversion: Conversion, nowMs: number): string {
  const { state, tries, dueAt, code, subcode, trace, decidedBy } = conversion
  if (awaitsToken(conversion)) return 'não saiu: espera um token que valha'
  const codes = [code, subcode].filter((one) => one !== null).join('/')
  const words = [
    state === 'sent' ? '' : faultText(conversion),
    state === 'refused' && codes !== '' ? `código ${codes}` : '',
    state === 'refused' && trace !== null ? `fbtrace_id ${trace}` : '',
    state === 'waiting' && tries > 0 ? `${tries + 1}ª tentativa ${formatMoment(dueAt, nowMs)}` : '',
    state === 'late' ? 'passou de 7 dias, e a Meta não aceita mais' : '',
    state === 'unsure' ? 'a Meta pode já ter contado' : '',
    decidedBy === null ? '' : `decidido por ${decidedBy}`,
  ]
  return words.filter(Boolean).join(' · ')
}
