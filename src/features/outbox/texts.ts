// Sentences of what waits to be sent, and of the strip that says so.
import { countOf, formatDate, formatHour, formatRelative } from '#domain/format.ts'
import { OFFLINE } from '#ui/texts.ts'

const changes = (count: number) => countOf(count, 'alteração', 'alterações')

export const SEE_QUEUE = 'Ver fila'
export const RESOLVE = 'Resolver'
export const ALL_SENT = 'Tudo enviado'
export const WEAK_SIGNAL = 'Sinal fraco. Tentando de novo…'
export const offlineWith = (count: number) => `${OFFLINE} · ${changes(count)} na fila`
/** The day too, where it is not today's. */
export const offlineSince = (ms: number, nowMs: number) =>
  `${OFFLINE} · mostrando dados de ${formatDate(ms) === formatDate(nowMs) ? '' : `${formatDate(ms)} `}${formatHour(ms)}`
export const updatedAgo = (ms: number, nowMs: number) => `Atualizado ${formatRelative(ms, nowMs)}`
export const back = (count: number) => `De volta. Enviando ${changes(count)}…`
export const pendingChanges = (count: number) => countOf(count, 'alteração pendente', 'alterações pendentes')
export const toDecide = (count: number) =>
  count === 1 ? '1 alteração espera sua decisão' : `${count} alterações esperam sua decisão`

export const QUEUE_TITLE = 'Pendências'
export const NOTHING_WAITS = 'Tudo enviado.'
export const WAITING_HEADING = 'Alterações na fila'
export const DECISIONS_HEADING = 'Esperam sua decisão'
export const GOES_BY_ITSELF = 'Serão enviadas assim que a internet voltar.'
export const SEND_NOW = 'Enviar agora'
export const SENDING = 'Enviando…'
export const SEND_NEEDS_SIGNAL = 'Você precisa de internet para enviar.'
export const DISCARD = 'Descartar'
export const KEEP = 'Manter'
export const SEND = 'Enviar'
export const COPY = 'Copiar texto'
export const COPIED = 'Texto copiado.'
export const COPY_FAILED = 'Erro ao copiar o texto.'
export const DISCARD_QUESTION = 'Descartar esta alteração?'
export const DISCARD_CONSEQUENCE = 'Ela não será enviada, e o que você fez será perdido.'
export const erasedAway = (leads: number) =>
  `Os dados de ${countOf(leads, 'lead', 'leads')} foram apagados. O que esperava para ser enviado saiu deste aparelho.`
export const UNDERSTOOD = 'Entendi'
export const DISCARD_FAILED = 'Erro ao descartar. Tente de novo.'

export const moveTitle = (name: string, stage: string) => `Mover ${name} para ${stage}`
export const noteTitle = (name: string) => `Nota sobre ${name}`
export const fieldsTitle = (name: string) => `Dados de ${name}`
export const nextStepTitle = (name: string) => `Próximo passo de ${name}`
export const renameTitle = (name: string) => `Nome de ${name}`
export const additionTitle = (name: string) => `Novo lead: ${name}`
export const visitTitle = (name: string) => `Visita com ${name}`
export const scheduledTitle = (name: string) => `Mensagem agendada para ${name}`
export const reactionTitle = (name: string) => `Reação a uma mensagem de ${name}`
export const messageTitle = (name: string) => `Mensagem para ${name}`

export const QUEUED = 'Na fila'
export const nextTry = (ms: number) => `O servidor não aceitou ainda. Nova tentativa às ${formatHour(ms)}.`
export const doneAt = (ms: number, nowMs: number) => formatRelative(ms, nowMs)
export const FAILED_FOR_GOOD =
  'O servidor não conseguiu receber. Nada foi perdido: tente de novo ou descarte.'
export const staleText = (ms: number, nowMs: number) =>
  `Escrita ${formatRelative(ms, nowMs)} e ainda não enviada. Enviar mesmo assim?`

export const whereToStay = (name: string) => `Onde ${name} deve ficar?`
export const youMoved = (stage: string, atMs: number) => `Você moveu para ${stage} às ${formatHour(atMs)}.`
export const othersMoved = (who: string | null, stage: string, atMs: number | null) =>
  `${who === null ? 'No outro aparelho foi' : `${who} moveu`} para ${stage}${atMs === null ? '' : ` às ${formatHour(atMs)}`}.`
export const keepIn = (stage: string) => `Manter em ${stage}`
export const toStage = (stage: string) => `Mover para ${stage}`

export const NOTE_CHANGED = 'A nota mudou enquanto você estava sem conexão.'
export const NAME_CHANGED = 'O nome mudou enquanto você estava sem conexão.'
export const YOURS = 'A sua'
export const THEIRS = 'A outra'
export const JOIN_BOTH = 'Juntar as duas'
export const USE_MINE = 'Usar a minha'
export const USE_THEIRS = 'Usar a outra'
export const toName = (name: string) => `Usar “${name}”`
export const keepName = (name: string) => `Manter “${name}”`
export const NO_WORDS = '(em branco)'
