// Sentences of remarketing.
import type { CampaignSettings } from '#data/campaign-rules.ts'
import { type Campaign, ERROR_REASON } from '#domain/campaign.ts'
import { countOf, formatDate, formatHour, formatMoment } from '#domain/format.ts'
import type { Forecast } from './composer-rules.ts'

export const TITLE = 'Remarketing'
export const NEW_CAMPAIGN = 'Nova campanha'
export const KANBAN = 'Kanban'
export const CHOOSE_KANBAN = 'Escolha um kanban'
export const MESSAGE = 'Mensagem'
export const WRITE = 'Escreva o que todos vão receber'
export const INSERT_NAME = 'Inserir Nome'
export const ATTACH = 'Anexar mídia'
export const REMOVE_FILE = 'Remover anexo'
export const PREPARING = 'Preparando o anexo…'
export const fileLost = (name: string) => `${name} não ficou guardado. Anexe de novo ou envie sem ele.`
export const WITHOUT_FILE = 'Enviar sem o anexo'
export const REDUCED = 'reduzida para 800 px'
export const SELECTED = 'Contatos Selecionados'
export const EMPTY_STAGE = 'Nenhum contato neste estágio.'
export const NOBODY_MAY = 'Ninguém deste estágio pode receber agora.'
export const SELECT_ALL = 'Marcar todos'
export const SELECT_NONE = 'Desmarcar todos'
export const LEAD_NAME = 'Nome do contato'
export const RENAME_FAILED = 'Erro ao salvar o nome. Tente novamente.'
export const UNNAMED = 'Sem nome'
export const PREVIEW = 'Como vai chegar'
export const NEXT_CONTACT = 'Ver com outro contato'
export const WHEN = 'Quando enviar'
export const NOW = 'Agora'
export const LATER = 'Agendar'
export const START_AT = 'Data e hora'
export const MARKS = 'Marcar quem recebeu'
export const MARKS_HINT = 'Mostra “Remarketing” no cartão do contato. O estágio não muda.'
export const RULES = 'Regras de envio'
export const CONFIRM_START = 'Iniciar'
export const NOT_NOW = 'Voltar'
export const START_FAILED = 'Erro ao iniciar a campanha. Tente de novo.'

export const characters = (count: number) => countOf(count, 'caractere', 'caracteres')
export const contacts = (count: number) => countOf(count, 'contato', 'contatos')
export const startLabel = (count: number) => `Iniciar Remarketing (${contacts(count)})`
export const chosenOf = (count: number, total: number) => `${count} de ${total}`
export const showMore = (count: number) => `Mostrar mais ${count.toLocaleString('pt-BR')}`
export const editName = (name: string) => `Editar nome de ${name}`
export const include = (name: string) => `Incluir ${name}`
export const leftOut = (count: number) => countOf(count, 'contato fica de fora', 'contatos ficam de fora')
/** Stage, count and the first line: what is about to go out, and to whom. */
export const startQuestion = (count: number, stage: string) => `Enviar para ${contacts(count)} de ${stage}?`
export const firstLine = (message: string) => `“${message.trim().split('\n')[0]}”`

const SOON_MS = 60_000

/** 'Termina por volta das 9h50.', and when it does not begin at once that too. */
export function forecastWords({ beginsAtMs, endsAtMs, todayCount }: Forecast, nowMs: number): string {
  const end = around(formatMoment(endsAtMs, nowMs))
  if (todayCount !== null) return `Hoje este número envia até ${todayCount}. Termina ${end}.`
  return beginsAtMs - nowMs > SOON_MS
    ? `Começa ${formatMoment(beginsAtMs, nowMs)} e termina ${end}.`
    : `Termina ${end}.`
}

/** 'às 9h50' as 'por volta das 9h50'. */
const around = (moment: string) => moment.replace(/^às/, 'por volta das')
export const uploading = (percent: number) => `Enviando o anexo… ${percent}%`
export const STARTING = 'Iniciando...'

/** Why a campaign cannot be started as it stands. */
export const START_PROBLEM = {
  offline: 'Sem conexão. A campanha começa quando você estiver online.',
  'no-stage': 'Escolha um kanban.',
  loading: 'Carregando os contatos…',
  'no-contacts': 'Escolha ao menos um contato.',
  empty: 'Escreva a mensagem.',
  'too-long': 'A mensagem é longa demais.',
  preparing: 'Espere o anexo ficar pronto.',
  'file-lost': 'Anexe o arquivo de novo ou remova-o.',
  unsent: 'Espere as alterações dos contatos serem enviadas.',
  'no-time': 'Escolha quando começar.',
  past: 'Escolha um horário no futuro.',
} as const

// The campaign under way.
export const UNDER_WAY = 'Campanha em Andamento'
export const SCHEDULED = 'Campanha agendada'
export const PAUSED = 'Campanha pausada'
export const PAUSE = 'Pausar'
export const RESUME = 'Continuar'
export const STOP_CAMPAIGN = 'Parar campanha'
export const CANCEL_CAMPAIGN = 'Cancelar campanha'
export const STOP_QUESTION = 'Parar a campanha?'
export const STOP = 'Parar'
export const KEEP_SENDING = 'Continuar enviando'
export const GOES_ON = 'Pode bloquear a tela: o envio continua no servidor.'
export const PROGRESS_OFFLINE = 'Sem conexão · o progresso volta com a internet'
export const STEER_FAILED = 'Erro: não foi possível falar com o portal. Tente de novo.'
export const sentOf = (total: number) => `de ${countOf(total, 'enviada', 'enviadas')}`
export const failures = (count: number) => countOf(count, 'falha', 'falhas')
export const notReached = (count: number) =>
  count === 1 ? '1 contato não vai receber.' : `${count.toLocaleString('pt-BR')} contatos não vão receber.`
export const SENDING = 'Enviando agora'
/** 'Começa amanhã, 8h', with the reason for it 'Começa amanhã, 8h: domingo não há envio.'. */
export const begins = (moment: string, why?: string) =>
  `Começa ${inList(moment)}${why === undefined ? '' : `: ${why.charAt(0).toLowerCase()}${why.slice(1)}`}`
/** 'amanhã às 8h' as 'amanhã, 8h'. */
const inList = (moment: string) => moment.replace(/(?<=.),? às /, ', ')
export const nextIn = (seconds: number) => `Próximo envio em ${seconds} s`
export const goesOn = (when: string) => `Ela continua ${when}.`
export const remain = (count: number) => (count === 1 ? 'Falta 1' : `Faltam ${count.toLocaleString('pt-BR')}`)
/** 'termina amanhã, 8h01'; today 'termina por volta das 9h50'. */
export const endsAround = (moment: string) => `termina ${around(inList(moment))}`
export const notReceived = (count: number) =>
  count === 1
    ? 'Pausada. 1 ainda não recebeu.'
    : `Pausada. ${count.toLocaleString('pt-BR')} ainda não receberam.`
export const percentSent = (percent: number) => `${percent}% enviado`

const END = {
  completed: { words: 'Campanha concluída', tone: 'success' },
  stopped: { words: 'Campanha parada', tone: 'info' },
  error: { words: 'Erro na campanha', tone: 'error' },
} as const

type End = { words: string; tone: 'success' | 'info' | 'error' }

/** How one that was followed came to its end; null: it goes on. */
export function endOf({ status, sentCount, recipientCount }: Campaign): End | null {
  if (status !== 'completed' && status !== 'stopped' && status !== 'error') return null
  const { words, tone } = END[status]
  return { words: `${words} · ${sentCount} de ${recipientCount} enviadas`, tone }
}

// History and results by contact.
export const HISTORY = 'Histórico de Campanhas'
export const NO_CAMPAIGNS = 'Nenhuma campanha realizada ainda'
export const HISTORY_FAILED = 'Não foi possível carregar o histórico.'
export const MORE = 'Carregar mais'
export const RESULTS = 'Resultado por contato'
export const RETRY_FAILED = 'Enviar de novo para quem falhou'
export const RESUME_FAILED = 'Continuar campanha'
export const AGAIN = 'Enviar de novo'
export const MARK_SENT = 'Marcar como enviada'
export const MARKED_SENT = 'Marcada como enviada'
export const RETRYING = 'Voltaram para a fila.'
export const STOPPED = 'Campanha parada'
/** A code of a later version is a fault. */
export const whyError = (reason: string | null) => {
  const reasons: Readonly<Record<string, string>> = ERROR_REASON
  return `${reasons[reason ?? ''] ?? ERROR_REASON.fault} Nada foi perdido: quem ainda não recebeu continua na lista, e Continuar campanha retoma daqui.`
}
export const NO_RESULTS = 'Ninguém aqui.'
export const resultsOf = (when: string) => `Ver resultado da campanha de ${when}`
export const sentTotal = (sent: number, total: number) => `${sent} / ${total}`

/** '14/11/2026, 16:20' */
export const momentOf = ({ createdAtMs }: Campaign) =>
  `${formatDate(createdAtMs)}, ${formatHour(createdAtMs)}`

// 'Regras de envio'.
export const RULE_FIELDS = {
  opensAt: { label: 'Começa às (hora)', min: 0, max: 23 },
  closesAt: { label: 'Para às (hora)', min: 1, max: 24 },
  dailyCap: { label: 'Limite por dia', min: 1, max: 5000 },
  warmUpFrom: { label: 'Limite no 1º dia', min: 1, max: 5000 },
  warmUpDays: { label: 'Dias até o limite', min: 1, max: 90 },
  restDays: { label: 'Dias de descanso', min: 0, max: 365 },
} as const
export const SUNDAYS = 'Enviar aos domingos'
export const RULES_REFUSED =
  'Confira os horários e limites: o fim vem depois do começo, e os números são inteiros positivos.'
export const WARM_UP_REFUSED = 'O limite no 1º dia não pode passar do limite por dia.'
export const RULES_MEAN = 'O que estas regras fazem'
export const RULES_SAVED = 'Regras de envio salvas'
export const RULES_OFFLINE = 'Você precisa de internet para salvar.'
export const DISCARD_RULES = 'Descartar as mudanças?'
export const UNSAVED_RULES = 'As regras não foram salvas.'
export const DISCARD = 'Descartar'

/** The rules in words. */
export function ruleLines(settings: CampaignSettings): { title: string; text: string }[] {
  const { opensAt, closesAt, sendsOnSundays, dailyCap, warmUpFrom, warmUpDays, restDays } = settings
  const sundays = sendsOnSundays ? 'todos os dias' : 'de segunda a sábado'
  const isAlwaysOpen = opensAt === 0 && closesAt === 24
  return [
    {
      title: 'Horário permitido',
      text: isAlwaysOpen
        ? `As campanhas enviam a qualquer hora, ${sundays}.`
        : `As campanhas enviam das ${opensAt}h às ${closesAt}h, ${sundays}. Fora disso elas esperam.`,
    },
    {
      title: 'Limite por dia',
      text: `Até ${countOf(dailyCap, 'mensagem', 'mensagens')} de campanha por número.`,
    },
    {
      title: 'Aquecimento do número',
      text: `No primeiro dia de campanha um número envia até ${warmUpFrom}; o limite sobe aos poucos e é alcançado no ${warmUpDays}º dia.`,
    },
    {
      title: 'Descanso',
      text:
        restDays === 0
          ? 'O mesmo contato pode receber uma campanha por dia.'
          : `Quem recebeu uma campanha nos últimos ${countOf(restDays, 'dia', 'dias')} fica de fora da próxima.`,
    },
    {
      title: 'Quem pediu para sair',
      text: 'Não recebe campanhas de nenhum corretor.',
    },
    {
      title: 'Conversas',
      text: 'O que você escreve a um contato sai na hora, mesmo com uma campanha em andamento.',
    },
  ]
}

// 'Relatório de Remarketing'.
export const REPORT_TITLE = 'Relatório de Remarketing'
export const SUMMARY = 'Resumo por Corretor'
export const FIGURE = {
  delivered: 'Entregues',
  read: 'Lidas',
  answered: 'Respostas em 72 h',
  optedOut: 'Pediram para sair',
} as const
export const EXPORT = 'Exportar CSV'
export const count = (number: number) => number.toLocaleString('pt-BR')

const PERCENT = { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 } as const

/** '99,5%' */
export const percent = (ratio: number) => ratio.toLocaleString('pt-BR', PERCENT)

// Who asked to be left alone.
export const OPT_OUTS = 'Pedidos de saída'
export const OPT_OUTS_HINT =
  'Quem escreveu que não quer mais divulgação não recebe campanhas de nenhum corretor.'
export const NO_OPT_OUTS = 'Ninguém pediu para sair.'
export const askedOut = (date: string, broker: string) => `Pediu em ${date} · ${broker}`
