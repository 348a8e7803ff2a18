// Reads and writes the search parameters of '/origens': month, team and the open list. Pure.
import { isMonth } from '#domain/origins/costs.ts'
import { ORIGIN_FIGURES, type OriginFigure, type Question } from './data.ts'

export type OriginsState = { question: Question; figure: OriginFigure | null }

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const textOf = (value: unknown) => (typeof value === 'string' ? value : null)

/** Parses search parameters, and ignores invalid ones. */
export function readOrigins(search: Record<string, unknown>, today: string): OriginsState {
  const { mes, equipe, figura, origem, campanha, pagos } = search
  const team = textOf(equipe)
  const name = ORIGIN_FIGURES.find((known) => known === figura)
  return {
    question: {
      month: isMonth(mes) ? mes : today.slice(0, 7),
      team: team !== null && UUID.test(team) ? team : null,
    },
    figure: name
      ? { name, origin: textOf(origem), campaign: textOf(campanha), isPaid: pagos === 'sim' }
      : null,
  }
}

/** The state's search parameters; parsing them on the same day gives the same state. */
export function writeOrigins({ question: { month, team }, figure }: OriginsState, today: string) {
  return {
    ...(month !== today.slice(0, 7) && { mes: month }),
    ...(team !== null && { equipe: team }),
    ...(figure && {
      figura: figure.name,
      ...(figure.origin !== null && { origem: figure.origin }),
      ...(figure.campaign !== null && { campanha: figure.campaign }),
      ...(figure.isPaid && { pagos: 'sim' }),
    }),
  }
}
