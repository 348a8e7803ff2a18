// Texts of the dashboard, its filter and its Roleta section.
import { countOf, formatNumber } from '#domain/count.ts'
import { displayName } from '#domain/broker.ts'
import type { BrokerFigure } from './now/data.ts'

export const LOADING_DATA = 'Carregando dados...'

/** For example '2 empreendimentos · 3 corretores'. */
export function choiceText(developmentCount: number, brokerCount: number): string {
  return [
    developmentCount === 0
      ? 'Todos os empreendimentos'
      : countOf(developmentCount, 'empreendimento', 'empreendimentos'),
    brokerCount === 0 ? 'todos os corretores' : countOf(brokerCount, 'corretor', 'corretores'),
  ].join(' · ')
}

export const openLeads = (label: string, count: string) => `${label}: ${count}. Ver leads`

export const NO_LEADS = 'Nenhum lead encontrado no período'
export const NO_FILTERED_LEADS = 'Nenhum lead encontrado com os filtros aplicados'

export const DEVELOPMENTS = 'Empreendimentos'
export const BROKERS = 'Corretores'

/** For example 'Camila · 12'. In a tie, the number of brokers replaces the name. */
export const mostText = ({ names, count }: { names: readonly string[]; count: number }) =>
  names.length === 1
    ? `${names.join()} · ${formatNumber(count)}`
    : `${countOf(names.length, 'corretor', 'corretores')} · ${formatNumber(count)} cada`

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

export const seeLead = (name: string) => `Abrir a conversa com ${name}`

const FIGURE: Readonly<Record<BrokerFigure, string>> = {
  waiting: 'Esperando a primeira resposta',
  received: 'Recebidos hoje',
  answered: 'Respondidos',
  withinFive: 'Respondidos em até 5 min',
  booked: 'Visitas de hoje',
  held: 'Visitas feitas hoje',
  won: 'Fechados hoje',
}
export const figureOf = (figure: BrokerFigure, broker: string) => `${FIGURE[figure]}: ${displayName(broker)}`
