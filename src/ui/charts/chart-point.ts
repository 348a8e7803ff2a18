// The input of a chart: its points, how they are drawn, and what pressing one does.

export type ChartPoint = {
  /** Stays the same when the point's numbers change. */
  key: string
  /** The full name. */
  label: string
  /** The drawn size; `count` says what it counts. */
  size: number
  /** The label on the point; empty without space. */
  caption: string
  count: string
  /** The point's share of the total, as text. */
  share: string
  /** Highlights a bar. */
  isHighest?: boolean
  /** The part of `size` that is drawn highlighted. */
  part?: number
}

export type ChartKind = 'donut' | 'columns' | 'parted' | 'bars'

export type ChartProps = {
  kind: ChartKind
  /** In px; the width fills the container. */
  height: number
  points: readonly ChartPoint[]
  onChoose: (key: string) => void
}
