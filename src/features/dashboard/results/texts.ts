// Names of the results' figures.
import { displayName } from '#domain/broker.ts'
import { lossLabel } from '#domain/lead/fields.ts'
import type { ResultFigure } from './data.ts'

const FIGURE_TITLE: Readonly<Record<ResultFigure['name'], string>> = {
  received: 'Recebidos',
  answered: 'Respondidos',
  inTime: 'Respondidos na meta',
  booked: 'Visitas marcadas',
  held: 'Visitas feitas',
  missed: 'Visitas com falta',
  untold: 'Visitas sem resultado',
  won: 'Fechados',
  cohort: 'Leads da conversão',
  converted: 'Convertidos',
  lost: 'Perdidos',
  waiting: 'Esperando agora',
}

export const nameOf = (broker: string | null) => (broker === null ? 'Total' : displayName(broker))

export function listTitle({ name, broker, part }: ResultFigure): string {
  const what = part === null ? FIGURE_TITLE[name] : `${FIGURE_TITLE[name]}: ${lossLabel(part)}`
  return broker === null ? what : `${what} · ${displayName(broker)}`
}
