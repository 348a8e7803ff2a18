// Shows how fast each broker responded to today's leads: one row per broker. A figure opens the leads that it counts.
import { displayName } from '#domain/broker.ts'
import { formatValue } from '#domain/lead/fields.ts'
import { spanWords } from '#domain/lead/path.ts'
import type { Column } from '#ui/primitives/table.tsx'
import type { BrokerFigure, BrokerLine } from './data.ts'
import type { OpenFigure } from './list.tsx'
import { figureOf } from '../texts.ts'

type Opens = (figure: OpenFigure) => void

export function brokerColumns(onOpen: Opens): Column<BrokerLine>[] {
  const figure = (
    name: BrokerFigure,
    shown: (line: BrokerLine) => string | number,
    label = (line: BrokerLine) => figureOf(name, line.broker),
  ) =>
    function Opened(line: BrokerLine) {
      return line[name] === 0 ? (
        shown(line)
      ) : (
        <button
          type="button"
          aria-label={`${label(line)}: ${shown(line)}`}
          onClick={() => onOpen({ broker: line.broker, figure: name })}
          className="-my-2.5 min-h-11 min-w-11 font-semibold whitespace-nowrap text-primary max-[40rem]:my-0 lg:pointer-fine:min-h-9"
        >
          {shown(line)}
        </button>
      )
    }
  const held = figure('held', ({ held }) => held)
  const booked = figure('booked', ({ booked }) => booked)
  const plain = { isNumber: true } as const
  return [
    { title: 'Corretor', place: 'head', cell: ({ broker }) => displayName(broker) },
    { ...plain, title: 'Esperando 1ª resposta', cell: figure('waiting', ({ waiting }) => waiting) },
    { ...plain, title: 'Recebidos', cell: figure('received', ({ received }) => received) },
    { ...plain, title: 'Respondidos', cell: figure('answered', ({ answered }) => answered) },
    {
      ...plain,
      title: 'Mediana',
      cell: ({ median, received }) =>
        median !== null ? (
          spanWords(median)
        ) : received === 0 ? (
          '–'
        ) : (
          <span title="Mais da metade dos leads de hoje ainda espera">metade espera</span>
        ),
    },
    {
      ...plain,
      title: 'Em até 5 min',
      cell: figure('withinFive', ({ withinFive, answered }) =>
        answered === 0 ? '–' : `${Math.round((100 * withinFive) / answered)}%`,
      ),
    },
    {
      ...plain,
      title: 'Visitas feitas',
      cell: (line) =>
        line.booked === 0 ? (
          '–'
        ) : (
          <span className="whitespace-nowrap">
            {held(line)} de {booked(line)}
          </span>
        ),
    },
    { ...plain, title: 'Fechados', cell: figure('won', ({ won }) => won) },
    {
      ...plain,
      title: 'Valor',
      cell: figure(
        'won',
        ({ value }) => (value === 0 ? '–' : formatValue(value)),
        ({ broker }) => `Valor fechado hoje: ${displayName(broker)}`,
      ),
    },
  ]
}
