// Sentences of Integrações.
import { countOf, formatDateTime, formatHour, formatMoment } from '#domain/format.ts'
import type { EventType, MachineGrant } from '#domain/machine.ts'
import type { Hook, SentEvent, Tested } from './data.ts'

export const TITLE = 'Integrações'
export const HINT = 'Avise outros sistemas quando algo muda aqui, e deixe que leiam e escrevam com uma chave.'
export const HOOKS = 'Avisos para outros sistemas'
export const NO_HOOKS = 'Nenhum sistema é avisado.'
export const NEW_HOOK = 'Novo endereço'
export const NAME = 'Nome'
export const NAME_MISSING = 'Dê um nome.'
export const URL_LABEL = 'Endereço'
export const URL_HINT = 'Público e com https://. Precisa responder a um teste agora.'
export const URL_MISSING = 'Escreva o endereço.'
export const EVENTS = 'Avisar quando'
export const EVENTS_MISSING = 'Escolha ao menos um aviso.'
export const CHECK = 'Testar e adicionar'
export const CHECKING = 'Testando...'
export const SECRET = 'Segredo'
export const SECRET_HINT =
  'Copie agora. Não será mostrado de novo. Com ele o outro sistema confere a assinatura.'
export const SECRET_WORDS = {
  copy: 'Copiar segredo',
  copied: 'Segredo copiado',
  copyFailed: 'Não foi possível copiar. Selecione o segredo e copie.',
}
export const answeredIn = (tookMs: number) => `Respondeu em ${tookMs} ms.`
export const swapped = (untilMs: number) =>
  `Copie agora. Não será mostrado de novo. O segredo anterior também assina até ${formatDateTime(untilMs)}.`

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
}

const LABELS = new Map<string, string>(Object.entries(EVENT_LABEL))
/** 'Novo, distribuído, respondido' */
export const eventsText = (events: readonly string[]) => {
  const words = events.map((type) => LABELS.get(type) ?? type).join(', ')
  return (
    words.slice(0, 1) +
    words.slice(1).replace(/(?<=, )\p{Lu}(?!\p{Lu}|hats)/gu, (letter) => letter.toLowerCase())
  )
}

export function stateOf(
  hook: Pick<Hook, 'state' | 'reason' | 'nextAtMs'>,
  nowMs: number,
): { label: string; tone: 'success' | 'warning' | 'danger' | 'neutral' } {
  if (hook.state === 'paused') return { label: 'Pausado após 20 falhas', tone: 'danger' }
  if (hook.reason === 'gone') return { label: 'Desligado: o endereço não existe mais', tone: 'danger' }
  if (hook.state === 'off') return { label: 'Desligado', tone: 'neutral' }
  if (hook.nextAtMs === null) return { label: 'Em dia', tone: 'success' }
  const minutes = Math.ceil((hook.nextAtMs - nowMs) / 60_000)
  if (minutes <= 0) return { label: 'Tentando de novo agora', tone: 'warning' }
  const span = minutes < 60 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
  return { label: `Tentando de novo em ${span}`, tone: 'warning' }
}

export const openLabel = ({ name }: Hook) => `Abrir ${name}`
export const waitingText = (count: number) => countOf(count, 'aviso espera', 'avisos esperam')
export const KEPT = 'últimas entregas'
export const KEPT_FOR = `${KEPT} · guardadas por 30 dias`
export const maskedSecret = (tail: string) => `Segredo whsec_••••${tail}`
export const TEST = 'Enviar teste'
export const TESTING = 'Enviando...'
export const MORE_ACTIONS = 'Mais ações'
export const SWAP = 'Trocar segredo'
export const SWAP_QUESTION = 'Trocar o segredo?'
export const SWAP_CONSEQUENCE =
  'O anterior também assina por 24 horas, para dar tempo de trocar no outro sistema.'
export const REPLAY_SPAN = 'Enviar um período de novo'
export const FROM = 'De'
export const TO = 'Até'
export const SPAN_FAULT = 'O fim precisa vir depois do começo.'
export const REPLAY_HINT =
  'Cada aviso vai com o mesmo número de antes: o outro sistema reconhece os repetidos.'
export const REPLAY = 'Enviar de novo'
export const REPLAYING = 'Enviando...'
export const replayed = (count: number) =>
  count === 0 ? 'Nenhum aviso nesse período.' : `${countOf(count, 'aviso vai', 'avisos vão')} de novo.`
export const RESUME = 'Retomar'
export const TURN_OFF = 'Desligar'
export const TURN_OFF_CONSEQUENCE = 'O que acontecer enquanto estiver desligado não será avisado.'
export const turnOffQuestion = (name: string) => `Desligar os avisos para ${name}?`
export const REMOVE = 'Remover endereço'
export const REMOVE_CONSEQUENCE = 'O que ainda espera não será enviado, e a lista de entregas some.'
export const removeQuestion = (name: string) => `Remover ${name}?`
export const REMOVED = 'Endereço removido.'
export const CHANGE_FAILED = 'Não foi possível mudar. Tente de novo.'
export const SKIP = 'Pular'
export const SKIP_CONSEQUENCE = 'Os avisos seguintes do mesmo lead saem sem ele.'
export const SKIP_QUESTION = 'Pular este aviso?'
export const NO_EVENTS = 'Nada foi enviado ainda.'
export const MORE_EVENTS = 'Carregar mais'

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

/** What became of it: '200 recebido', '503 · 3ª tentativa às 09:54'. */
export function answerOf(
  event: SentEvent,
  nowMs: number,
): { label: string; tone: 'success' | 'warning' | 'danger' | 'neutral' } {
  if (event.state === 'delivered') return { label: `${event.status} recebido`, tone: 'success' }
  if (event.state === 'skipped') return { label: 'Pulado', tone: 'neutral' }
  if (event.isHeld) return { label: 'Espera o aviso anterior do lead', tone: 'warning' }
  if (event.tries === 0) return { label: 'Na fila', tone: 'neutral' }
  const isToday = event.dueAtMs - nowMs < 12 * 3_600_000
  const when = isToday ? `às ${formatHour(event.dueAtMs)}` : formatMoment(event.dueAtMs, nowMs)
  return { label: `${faultText(event)} · ${event.tries + 1}ª tentativa ${when}`, tone: 'danger' }
}

/** '182 ms', '10 s' */
export const tookText = (tookMs: number | null) =>
  tookMs === null ? '–' : tookMs < 1000 ? `${tookMs} ms` : `${Math.round(tookMs / 1000)} s`

export const TOKENS = 'Chaves de acesso'
export const API_PAGE = 'Como usar a API'
export const NO_TOKENS = 'Nenhuma chave.'
export const NEW_TOKEN = 'Nova chave'
export const GRANTS = 'Permissões'
export const GRANTS_MISSING = 'Escolha ao menos uma permissão.'
export const UNTIL = 'Vale até'
export const UNTIL_FAULT = 'Escolha um dia daqui a no máximo dois anos.'
export const CREATE = 'Criar chave'
export const CREATING = 'Criando...'
export const TOKEN_MADE = 'Chave criada'
export const TOKEN_HINT = 'Copie agora. Não será mostrada de novo.'
export const TOKEN_WORDS = {
  copy: 'Copiar chave',
  copied: 'Chave copiada',
  copyFailed: 'Não foi possível copiar. Selecione a chave e copie.',
}
export const GRANT_LABEL: Readonly<Record<MachineGrant, string>> = {
  'leads:read': 'Ler leads',
  'leads:write': 'Criar e mover leads',
  'messages:read': 'Ler mensagens',
  'messages:send': 'Enviar mensagens',
  'brokers:read': 'Ler corretores',
  'rotations:read': 'Ler roletas',
  'events:read': 'Ler avisos',
}
const GRANT_LABELS = new Map<string, string>([
  ...Object.entries(GRANT_LABEL),
  ['prompts:read', 'Ler textos do agente'],
  ['prompts:write', 'Mudar textos do agente'],
  ['pauses:read', 'Ler pausas do agente'],
  ['memory', 'Memória do agente'],
])
export const grantText = (grant: string) => GRANT_LABELS.get(grant) ?? grant
export const NEVER_USED = 'nunca usada'
export const REVOKE = 'Revogar'
export const revokeQuestion = (name: string) => `Revogar a chave ${name}?`
export const REVOKE_CONSEQUENCE = 'O sistema que a usa deixa de ler e escrever no mesmo instante.'
export const REVOKED = 'Chave revogada.'
