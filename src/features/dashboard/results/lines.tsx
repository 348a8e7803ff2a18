// One row a broker, after the row of everybody: each figure above how it compares.
import { displayName } from '#domain/broker.ts'
import { formatNumber } from '#domain/count.ts'
import {
  answeredShare,
  compareCounts,
  type Compared,
  compareMedians,
  comparePercents,
  convertedShare,
  FEW,
  FEW_LEADS,
  type Figures,
  heldShare,
  inTimeShare,
  inTimeTitle,
  type Lengths,
  type Line,
  lineName,
  medianText,
  medianTitle,
  type Order,
  percentText,
  type Share,
  shareText,
  shareTitle,
} from '#domain/dashboard/results.ts'
import { formatTotal } from '#domain/lead/fields.ts'
import { spanWords } from '#domain/lead/path.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { type Column, Table } from '#ui/primitives/table.tsx'
import type { ResultFigure } from './data.ts'
import { FigureCell } from './figure-button.tsx'
import { FIGURE_TITLE } from './texts.ts'

export type OpenFigure = (figure: ResultFigure) => void

type LinesProps = {
  lines: readonly Line[]
  target: number
  lengths: Lengths
  days: number
  order: Order
  onOrder: (order: Order) => void
  onOpen: OpenFigure
}

export function Lines({ lines, target, lengths, days, order, onOrder, onOpen }: LinesProps) {
  const columns = columnsOf({ target, lengths, days, onOpen }).map(({ sortsBy, ...column }) => ({
    ...column,
    ...(sortsBy && { sort: { isOn: sortsBy === order, run: () => onOrder(sortsBy) } }),
  }))
  return (
    <Table
      label="Resultado por corretor"
      columns={columns}
      rows={lines}
      keyOf={({ broker, team }) => broker ?? team?.id ?? ''}
      isGroup={({ broker }) => broker === null}
    />
  )
}

type Parts = { target: number; lengths: Lengths; days: number; onOpen: OpenFigure }

function columnsOf({ target, lengths, days, onOpen }: Parts): (Column<Line> & { sortsBy?: Order })[] {
  const cell = (
    name: ResultFigure['name'],
    read: (line: Line) => {
      count: number
      shown?: string
      title?: string
      compared?: Compared | null
      bar?: number | null
    },
  ) =>
    function Opened(line: Line) {
      const { count, shown = formatNumber(count), title, compared, bar } = read(line)
      return (
        <FigureCell
          label={`${FIGURE_TITLE[name]}: ${lineName(line)}`}
          shown={shown}
          title={title}
          compared={compared ?? null}
          isStrong={line.broker === null || name === 'won'}
          onOpen={
            count > 0
              ? () =>
                  onOpen({
                    name,
                    broker: line.broker,
                    team: line.broker === null ? (line.team?.id ?? null) : null,
                    part: null,
                  })
              : undefined
          }
        >
          {bar !== null && bar !== undefined && <Bar percent={bar} />}
        </FigureCell>
      )
    }
  const counted = (name: 'received' | 'booked' | 'lost') =>
    cell(name, ({ now, before }) => ({
      count: now[name],
      compared: before && compareCounts(now[name], before[name], lengths),
    }))
  const plain = { isNumber: true } as const
  return [
    { title: 'Corretor', place: 'head', cell: (line) => <Name line={line} />, width: 'min-w-36' },
    { ...plain, title: 'Recebidos', sortsBy: 'received', cell: counted('received') },
    { ...plain, title: 'Respondidos', cell: cell('answered', answeredOf) },
    { ...plain, title: 'Mediana', sortsBy: 'median', cell: cell('received', medianOf) },
    { ...plain, title: inTimeTitle(target), sortsBy: 'within', cell: cell('inTime', withinOf) },
    { ...plain, title: 'Visitas marcadas', cell: counted('booked') },
    { ...plain, title: 'Visitas feitas', sortsBy: 'held', cell: cell('held', heldOf) },
    { ...plain, title: 'Fechados e valor', sortsBy: 'won', cell: cell('won', wonOf) },
    {
      ...plain,
      title: `Conversão em ${days} dias`,
      sortsBy: 'conversion',
      cell: cell('converted', convertedOf),
    },
    { ...plain, title: 'Perdidos', cell: counted('lost') },
    { ...plain, title: 'Esperando agora', sortsBy: 'waiting', cell: cell('waiting', waitingOf) },
  ]
}

const answeredOf = ({ now }: Line) => ({
  count: now.answered,
  compared: rateBelow(answeredShare(now), 'even'),
})
const medianOf = ({ now, before }: Line) => ({
  count: now.received,
  shown: medianText(now),
  title: medianTitle(now),
  compared: before && compareMedians(now, before),
})
const withinOf = ({ now, before }: Line) => ({
  count: now.inTime,
  shown: shareText(inTimeShare(now)),
  title: shareTitle(inTimeShare(now), 'lead'),
  bar: now.decided < FEW ? null : now.within,
  compared: before && comparePercents(inTimeShare(now), inTimeShare(before)),
})
const heldOf = ({ now, before }: Line) => {
  const share = heldShare(now)
  const tone = before && comparePercents(share, heldShare(before))?.tone
  return {
    count: now.held,
    shown: share.of > 0 && share.of < FEW ? shareText(share) : formatNumber(now.held),
    title: `${shareTitle(share, 'visita')}${now.untold > 0 ? `, ${now.untold} sem resultado` : ''}`,
    compared: rateBelow(share, tone ?? 'even'),
  }
}
const wonOf = ({ now }: Line) => ({
  count: now.won,
  compared: now.won === 0 ? null : { text: formatTotal(now.cents), tone: 'even' as const },
})
const convertedOf = ({ now, before }: Line) => ({
  count: now.converted,
  shown: now.cohort === 0 && now.received > 0 ? 'ainda cedo' : shareText(convertedShare(now), 1),
  title: conversionTitle(now),
  compared: before && comparePercents(convertedShare(now), convertedShare(before), 1),
})
const waitingOf = ({ now }: Line) => ({
  count: now.waiting,
  compared: now.longest === null ? null : { text: `há ${spanWords(now.longest)}`, tone: 'even' as const },
})

function rateBelow({ percent, of }: Share, tone: Compared['tone']): Compared | null {
  return of < FEW || percent === null ? null : { text: percentText(percent), tone }
}

function conversionTitle(now: Figures): string {
  if (now.cohort === 0) return 'Nenhum lead do período tem esta idade'
  const title = shareTitle(convertedShare(now), 'lead')
  if (now.sameMix === null || now.cohort < FEW) return title
  return `${title}. Com as mesmas origens: ${percentText(now.sameMix, 1)}`
}

function Name({ line }: { line: Line }) {
  const { broker, now } = line
  if (broker === null) return <span className="font-semibold">{lineName(line)}</span>
  return (
    <span
      className="flex min-h-13 items-center gap-2.5 font-medium max-[40rem]:min-h-9"
      title={now.received < FEW ? FEW_LEADS : undefined}
    >
      <Avatar name={displayName(broker)} size={32} />
      {displayName(broker)}
    </span>
  )
}

function Bar({ percent }: { percent: number }) {
  return (
    <span aria-hidden className="h-1.5 w-14 overflow-hidden rounded-full bg-surface-3 max-xl:hidden">
      <span className="block h-full rounded-full bg-primary" style={{ width: `${percent}%` }} />
    </span>
  )
}
