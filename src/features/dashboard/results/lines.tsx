// The results as rows: everybody first, then one row per broker. Each figure stands above its comparison.
import { displayName } from '#domain/broker.ts'
import { formatNumber } from '#domain/count.ts'
import {
  compareCounts,
  type Compared,
  compareMedians,
  comparePercents,
  type Lengths,
} from '#domain/dashboard/results/compare.ts'
import {
  answeredShare,
  convertedShare,
  FEW,
  FEW_LEADS,
  type Figures,
  heldShare,
  inTimeShare,
  medianText,
  medianTitle,
  percentText,
  type Share,
  shareText,
  shareTitle,
  wonText,
} from '#domain/dashboard/results/figures.ts'
import { type Line, lineName, type Order } from '#domain/dashboard/results/lines.ts'
import { inTimeTitle } from '#domain/dashboard/results/table.ts'
import { spanWords } from '#domain/lead/path.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { type Column, Table } from '#ui/primitives/table.tsx'
import type { ResultFigure } from './data.ts'
import { FigureCell } from './figure-button.tsx'

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
type Shown = {
  count: number
  shown?: string
  title?: string
  compared?: Compared | null
  /** A percentage that is also drawn as a bar. */
  bar?: number | null
}
type FigureColumn = {
  title: string
  name: ResultFigure['name']
  read: (line: Line) => Shown
  sortsBy?: Order
}

function columnsOf({ target, lengths, days, onOpen }: Parts): (Column<Line> & { sortsBy?: Order })[] {
  const counted = (name: 'received' | 'booked' | 'lost') => (line: Line) => ({
    count: line.now[name],
    compared: line.before && compareCounts(line.now[name], line.before[name], lengths),
  })
  const figures: FigureColumn[] = [
    { title: 'Recebidos', name: 'received', sortsBy: 'received', read: counted('received') },
    { title: 'Respondidos', name: 'answered', read: answeredOf },
    { title: 'Mediana', name: 'received', sortsBy: 'median', read: medianOf },
    { title: inTimeTitle(target), name: 'inTime', sortsBy: 'within', read: withinOf },
    { title: 'Visitas marcadas', name: 'booked', read: counted('booked') },
    { title: 'Visitas feitas', name: 'held', sortsBy: 'held', read: heldOf },
    { title: 'Fechados e valor', name: 'won', sortsBy: 'won', read: wonOf },
    { title: `Conversão em ${days} dias`, name: 'converted', sortsBy: 'conversion', read: convertedOf },
    { title: 'Perdidos', name: 'lost', read: counted('lost') },
    { title: 'Esperando agora', name: 'waiting', sortsBy: 'waiting', read: waitingOf },
  ]
  return [
    { title: 'Corretor', place: 'head', cell: (line) => <Name line={line} />, width: 'min-w-36' },
    ...figures.map((column) => ({
      title: column.title,
      isNumber: true,
      cell: (line: Line) => <Figure line={line} column={column} onOpen={onOpen} />,
      ...(column.sortsBy && { sortsBy: column.sortsBy }),
    })),
  ]
}

type FigureProps = { line: Line; column: FigureColumn; onOpen: OpenFigure }

function Figure({ line, column: { title: heading, name, read }, onOpen }: FigureProps) {
  const { count, shown = formatNumber(count), title, compared, bar } = read(line)
  const { broker } = line
  const team = broker === null ? (line.team?.id ?? null) : null
  return (
    <FigureCell
      label={`${heading}: ${lineName(line)}`}
      shown={shown}
      title={title}
      compared={compared ?? null}
      isStrong={broker === null || name === 'won'}
      onOpen={count > 0 ? () => onOpen({ name, broker, team, part: null }) : undefined}
    >
      {bar !== null && bar !== undefined && <Bar percent={bar} />}
    </FigureCell>
  )
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
  compared: now.won === 0 ? null : { text: wonText(now), tone: 'even' as const },
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
