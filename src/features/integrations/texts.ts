// Texts of Integrações.
import { countOf } from '#domain/count.ts'
import { formatHour, formatMoment } from '#domain/format.ts'
import type { EventType, MachineGrant } from '#domain/machine.ts'
import type { Hook, SentEvent, Tested } from './data.ts'

export const NEW_HOOK = 'Novo endereço'
export const NAME = 'Nome'
export const NAME_MISSING = 'Dê um nome.'
export const SECRET = 'Segredo'
export const SECRET_WORDS = {
  copy: 'Copiar segredo',
  copied: 'Segredo copiado',
  copyFailed: 'Não foi possível copiar. Selecione o segredo e copie.',
}
const answeredIn = (tookMs: number) => `Respondeu em ${tookMs} ms.`

export const EVENT_LABEL: Readonly<Record<EventType, string>> = {
  'lead.created': 'Novo',
  'lead.assigned': 'Distribuído',
  'lead.offered': 'Oferecido',
  'lead.accepted': 'Aceito',
  'lead.answered': 'Respondido',
  'lead.moved': 'Mudou de estágio',
  'lead.won': 'Ganho',
  'lead.lost': 'Perdido',
  'lead.opted_out': 'Pediu para não receber',
  'message.received': 'Mensagem recebida',
  'message.sent': 'Mensagem enviada',
  'broker.link_lost': 'WhatsApp caiu',
  'campaign.finished': 'Campanha terminou',
  'import.finished': 'Importação terminou',
  'visit.booked': 'Visita marcada',
  'visit.moved': 'Visita remarcada',
  'visit.held': 'Visita aconteceu',
  'visit.missed': 'Não veio à visita',
  'visit.cancelled': 'Visita cancelada',
  'development.changed': 'Empreendimento mudou',
  'material.sent': 'Material enviado',
}

const LABELS = new Map<string, string>(Object.entries(EVENT_LABEL))
/** Returns the type's label. A type that only a newer portal knows is shown as it is. */
export const eventLabel = (type: string) => LABELS.get(type) ?? type

export const SEND_TEST = 'Enviar teste'

export const REPLAY_SPAN = 'Enviar um período de novo'
export const REPLAY = 'Enviar de novo'
/** `isActive` false: the events wait until the address is resumed. */
export const replayed = (count: number, isActive: boolean) =>
  count === 0
    ? 'Nenhum aviso nesse período.'
    : `${countOf(count, 'aviso vai', 'avisos vão')} de novo${isActive ? '' : ' quando você retomar'}.`
export const CHANGE_FAILED = 'Não foi possível mudar. Tente de novo.'

const FAULTS: Readonly<Record<string, string>> = {
  address: 'endereço recusado',
  late: 'sem resposta em 10 s',
  connection: 'não conectou',
  redirect: 'redirecionou',
  secret: 'segredo perdido: troque o segredo',
}
const faultText = ({ status, fault }: Pick<Tested, 'status' | 'fault'>) =>
  fault === null || fault === 'status' ? String(status ?? '') : (FAULTS[fault] ?? fault)

export const testedText = (tested: Tested) =>
  tested.fault === null ? answeredIn(tested.tookMs) : `O teste falhou: ${faultText(tested)}.`
export const firstTestText = (tested: Tested) =>
  tested.fault === null
    ? `${answeredIn(tested.tookMs)} O endereço está ligado.`
    : `${testedText(tested)} Confira o endereço e o segredo no outro sistema e envie de novo.`

/** Returns the result of a delivery: '200 recebido', '503 · 3ª tentativa às 09:54'. */
export function answerOf(
  event: SentEvent,
  hookState: Hook['state'],
  nowMs: number,
): { label: string; tone: 'success' | 'warning' | 'danger' | 'neutral' } {
  if (event.state === 'delivered') return { label: `${event.status} recebido`, tone: 'success' }
  if (event.state === 'skipped') return { label: 'Pulado', tone: 'neutral' }
  // An address that is paused or off gets nothing until it is resumed.
  if (hookState !== 'active') {
    const label = hookState === 'paused' ? 'Pausado' : 'Desligado'
    return {
      label: event.tries === 0 ? label : `${faultText(event)} · ${label.toLowerCase()}`,
      tone: 'neutral',
    }
  }
  if (event.isHeld) return { label: 'Espera o aviso anterior do lead', tone: 'warning' }
  if (event.tries === 0) return { label: 'Na fila', tone: 'neutral' }
  const isToday = event.dueAtMs - nowMs < 12 * 3_600_000
  const when = isToday ? `às ${formatHour(event.dueAtMs)}` : formatMoment(event.dueAtMs, nowMs)
  return { label: `${faultText(event)} · ${event.tries + 1}ª tentativa ${when}`, tone: 'danger' }
}

export const NEW_TOKEN = 'Nova chave'
export const GRANT_LABEL: Readonly<Record<MachineGrant, string>> = {
  'leads:read': 'Ler leads',
  'leads:write': 'Criar e mudar leads',
  'messages:read': 'Ler mensagens',
  'messages:send': 'Enviar mensagens',
  'brokers:read': 'Ler corretores',
  'rotations:read': 'Ler roletas',
  'events:read': 'Ler avisos',
  'developments:read': 'Ler empreendimentos',
  'developments:write': 'Criar e mudar empreendimentos',
}
