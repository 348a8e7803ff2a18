// Sentences of the dashboard, its filter and its Roleta.
import type { Change, Figure, Kpi } from '#domain/dashboard.ts'
import { formatOneDecimal, formatPercent, formatResponseTime, wonCount } from '#domain/dashboard.ts'
import { countOf } from '#domain/format.ts'

export const TITLE = 'Relatórios'
export const SECTIONS = 'Seções do painel'
export const OVERVIEW = 'Visão geral'
export const ROTATION = 'Roleta'
export const FILTER = 'Filtro personalizado'
export const ACTIVE = 'Ativo'
export const NO_SECTION = 'Selecione uma seção'
export const NO_SECTION_HINT = 'Escolha uma das opções acima para visualizar os dados.'
export const LOADING_DATA = 'Carregando dados...'
export const NO_DATA = 'Nenhum dados disponível'
export const updatedAt = (hour: string) => `Atualizado às ${hour}`
export const updatedOn = (moment: string) => `Atualizado em ${moment}`

export const TOTAL = 'Total Leads'
export const RESPONSE = 'Tempo médio de resposta'
export const PER_DAY = 'Média de leads por dia'
export const CONVERSION = 'Taxa de conversão'
export const RESPONSE_HINT = 'da primeira mensagem à resposta'
export const NOBODY_ANSWERED = 'nenhum lead respondido'
export const wonOf = (kpi: Kpi) =>
  `${wonCount(kpi).toLocaleString('pt-BR')} de ${countOf(kpi.leadCount, 'fechado', 'fechados')}`
export const inDays = (days: number) => (days === 1 ? 'em 1 dia' : `em ${days.toLocaleString('pt-BR')} dias`)
export const lastDays = (days: number) => `nos últimos ${days} dias`
export const ALL_DEVELOPMENTS = 'em todos os empreendimentos'

/** What the filter leaves: '2 empreendimentos · 3 corretores'. */
export function choiceText(developmentCount: number, brokerCount: number): string {
  return [
    developmentCount === 0
      ? 'Todos os empreendimentos'
      : countOf(developmentCount, 'empreendimento', 'empreendimentos'),
    brokerCount === 0 ? 'todos os corretores' : countOf(brokerCount, 'corretor', 'corretores'),
  ].join(' · ')
}

/** The same of what was chosen; nothing of all. */
export function chosenText(developmentCount: number, brokerCount: number): string {
  return [
    ...(developmentCount > 0 ? [countOf(developmentCount, 'empreendimento', 'empreendimentos')] : []),
    ...(brokerCount > 0 ? [countOf(brokerCount, 'corretor', 'corretores')] : []),
  ].join(' · ')
}

const SIGN = { up: '+', down: '−', same: '' }
export const changeText = ({ direction, text }: Change) => SIGN[direction] + text
const TREND = { up: 'a mais', down: 'a menos' }
export const changeSpoken = ({ direction, text }: Change, before: string) =>
  direction === 'same'
    ? `Igual ao período anterior, que teve ${before}`
    : `${text} ${TREND[direction]} que no período anterior, que teve ${before}`
export const beforeText = (before: string) => `antes ${before}`

export const RESPONSE_DETAIL = 'Resposta aos leads'
export const MEDIAN = 'Mediana'
export const MEDIAN_HINT = 'metade dos leads espera menos'
export const P90 = '90% respondidos em'
export const P90_HINT = 'os 10% mais lentos esperam mais'
export const WITHIN_FIVE = 'Em até 5 min'
export const withinHint = (count: number, all: number) =>
  `${count.toLocaleString('pt-BR')} de ${all.toLocaleString('pt-BR')}`
export const WROTE = 'Quem escreveu'
export const WROTE_HINT = 'da primeira mensagem à primeira resposta de uma pessoa'
export const LEFT_CONTACT = 'Quem deixou contato'
export const LEFT_CONTACT_HINT = 'da chegada por formulário, portal ou Meta à primeira mensagem de uma pessoa'
export const UNANSWERED = 'Sem resposta'
export const unansweredHint = (wrote: number, leftContact: number) =>
  `${wrote.toLocaleString('pt-BR')} ${wrote === 1 ? 'escreveu' : 'escreveram'} · ${leftContact.toLocaleString('pt-BR')} ${leftContact === 1 ? 'deixou' : 'deixaram'} contato`
export const inLine = (line: string, figure: string) => `${line}, ${figure}`

/** What a lead's answer took, or how long it waits for one. */
export const answeredIn = (hours: number) => `em ${formatResponseTime(hours)}`
export const waitsFor = (hours: number) => `espera há ${formatResponseTime(hours)}`
export const openConversation = (name: string) => `Abrir conversa com ${name}`

export const STATUS_CHART = 'Distribuição por Status'
export const SOURCE_CHART = 'Origem do Lead'
export const WEEKDAY_CHART = 'Leads por Dia da Semana'
export const CAMPAIGN_CHART = 'Leads por Campanhas'
export const LEADS = 'leads'
export const allCampaigns = (count: number) => `Mostrar todas (${count})`
export const FEWER_CAMPAIGNS = 'Mostrar menos'
export const openLeads = (label: string, count: string) => `${label}: ${count}. Ver leads`

export const DETAILS = 'Detalhamento de Leads'
export const FILTERED_DETAILS = 'Detalhamento de Leads Filtrados'
export const inPeriod = (count: number) => `${countOf(count, 'lead', 'leads')} no período`
export const filteredCount = (count: number) =>
  `${countOf(count, 'lead', 'leads')} ${count === 1 ? 'filtrado' : 'filtrados'}`
export const NO_LEADS = 'Nenhum lead encontrado no período'
export const NO_FILTERED_LEADS = 'Nenhum lead encontrado com os filtros aplicados'
export const MORE = 'Carregar mais leads'
export const LOADING_MORE = 'Carregando...'
export const shownCount = (count: number) =>
  `Mostrando ${countOf(count, 'lead', 'leads')} - clique para carregar mais`
export const allShown = (count: number) => `Mostrando ${countOf(count, 'lead', 'leads')}`

export const APPLIED = 'Filtros Aplicados'
export const EDIT_FILTER = 'Editar Filtro'
export const CLOSE_FILTER = 'Fechar filtro'

export const FILTER_TITLE = 'Filtro Personalizado'
export const PERIOD = 'Período'
export const PERIODS = [
  { value: 'hoje', label: 'Hoje' },
  { value: 'ultima-semana', label: 'Última Semana' },
  { value: 'ultimo-mes', label: 'Último Mês' },
  { value: 'personalizado', label: 'Período Personalizado' },
] as const
export const START = 'Data Início'
export const END = 'Data Fim'
export const DEVELOPMENTS = 'Empreendimentos'
export const BROKERS = 'Corretores'
export const NO_DEVELOPMENT = 'Nenhum empreendimento'
export const NO_BROKER = 'Nenhum corretor'
export const CLEAR = 'Limpar Filtros'
export const APPLY = 'Aplicar Filtro'

export const EXPORT = 'EXPORTAR PERÍODO SELECIONADO'
export const DISTRIBUTED = 'Leads distribuídos'
export const DISTRIBUTED_HINT =
  'Leads que as roletas entregaram, cada um com o corretor que o recebeu por último.'
export const NO_DISTRIBUTED = 'Nenhum lead distribuído no período'
export const NO_DISTRIBUTED_HINT = 'Escolha outro período, outros empreendimentos ou outros corretores.'
export const newestOf = (shown: number, total: number) =>
  `Mostrando os ${shown.toLocaleString('pt-BR')} mais recentes de ${total.toLocaleString('pt-BR')}. Escolha um período menor para ver todos.`
export const WITH_LEADS = 'Corretores com leads'
export const MOST_LEADS = 'Mais leads'
/** 'Camila · 12'; of several that have as many, how many they are. */
export const mostText = ({ names, count }: { names: readonly string[]; count: number }) =>
  names.length === 1
    ? `${names.join()} · ${count.toLocaleString('pt-BR')}`
    : `${countOf(names.length, 'corretor', 'corretores')} · ${count.toLocaleString('pt-BR')} cada`

export const COLUMN = {
  name: 'NOME',
  date: 'DATA',
  hour: 'HORA',
  status: 'STATUS',
  development: 'EMPREENDIMENTO',
  broker: 'CORRETOR',
  number: 'NÚMERO',
  response: 'RESPOSTA',
}
export const NO_VALUE = '–'

const FIGURE_NAME = {
  total: 'Todos os leads',
  answered: 'Leads respondidos',
  unanswered: 'Leads sem resposta',
  won: 'Leads fechados',
  'within-five-minutes': 'Respondidos em até 5 min',
  'contacted-within-five-minutes': 'Chamados em até 5 min',
  status: 'Status',
  source: 'Origem',
  campaign: 'Campanha',
  weekday: 'Dia da semana',
  'open-value': 'Valor em aberto',
  'won-value': 'Ganho no período',
  lost: 'Perdidos no período',
} satisfies Record<Figure['kind'], string>
/** 'Status: Novo Lead' */
export const figureTitle = ({ kind }: Figure, label: string | null) =>
  label === null ? FIGURE_NAME[kind] : `${FIGURE_NAME[kind]}: ${label}`

export const kpiText = {
  leads: ({ leadCount }: Kpi) => leadCount.toLocaleString('pt-BR'),
  response: ({ responseHours }: Kpi) => formatResponseTime(responseHours),
  perDay: ({ leadsPerDay }: Kpi) => formatOneDecimal(leadsPerDay),
  conversion: ({ conversion }: Kpi) => formatPercent(conversion),
}
