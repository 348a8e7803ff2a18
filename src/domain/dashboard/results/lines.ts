// The lines of the results: everybody, teams and brokers, their names and their order. Pure.
import { displayName } from '#domain/broker.ts'
import { ENOUGH, type Figures } from './figures.ts'

export type Line = {
  /** The broker's instance name; null in the row of a team or of everybody. */
  broker: string | null
  /** The broker's team, or in a team's row that team; null if there is none. */
  team: { id: string; name: string } | null
  now: Figures
  before: Figures | null
}
export const ORDERS = ['received', 'median', 'within', 'held', 'won', 'conversion', 'waiting'] as const
export type Order = (typeof ORDERS)[number]

/** Brokers with too few leads come last, by name. */
function sortBrokers(lines: readonly Line[], order: Order): Line[] {
  const scoreOf = ({ now }: Line): number | null => {
    switch (order) {
      case 'received':
        return now.received
      case 'won':
        return now.won
      case 'waiting':
        return now.waiting
      case 'median':
        return now.received < ENOUGH || now.median === null ? null : -now.median
      case 'within':
        return now.decided < ENOUGH ? null : now.within
      case 'held':
        return now.held + now.missed < ENOUGH ? null : now.heldRate
      case 'conversion':
        return now.rank
    }
  }
  return lines.toSorted((a, b) => {
    const [first, second] = [scoreOf(a), scoreOf(b)]
    if (first !== null && second !== null && first !== second) return second - first
    if ((first === null) !== (second === null)) return first === null ? 1 : -1
    return lineName(a).localeCompare(lineName(b), 'pt-BR')
  })
}

type AllLines = { total: Line; teams: readonly Line[]; brokers: readonly Line[] }

/** Everybody, then each team with its brokers, then brokers without a team. */
export function orderLines({ total, teams, brokers }: AllLines, order: Order): Line[] {
  const isShown = ({ team }: Line) => teams.some((line) => line.team?.id === team?.id)
  return [
    total,
    ...teams.flatMap((line) => [
      line,
      ...sortBrokers(
        brokers.filter(({ team }) => team?.id === line.team?.id),
        order,
      ),
    ]),
    ...sortBrokers(
      brokers.filter((line) => !isShown(line)),
      order,
    ),
  ]
}

/** Puts 'Equipe' before a team's name, unless the name begins with it. */
export const teamName = ({ name }: { name: string }) => (/^equipe\b/i.test(name) ? name : `Equipe ${name}`)

export function lineName({ broker, team }: Pick<Line, 'broker' | 'team'>): string {
  if (broker !== null) return displayName(broker)
  return team === null ? 'Total' : teamName(team)
}
