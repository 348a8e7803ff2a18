// The input of a chart: its points, their shape, and what a press on one does.

export type ChartPoint = {
  /** Identifies the point even if its numbers change. */
  key: string
  /** The full name of what the point stands for. */
  label: string
  /** The size as drawn; `count` tells it as text. */
  size: number
  /** The label on the point; empty if it does not fit. */
  caption: string
  count: string
  /** The point's share of the total, as text. */
  share: string
  /** True if the bar is highlighted. */
  isHighest?: boolean
  /** How much of `size` is drawn highlighted. */
  part?: number
}

export type ChartKind = 'donut' | 'columns' | 'parted' | 'bars'

export type ChartProps = {
  kind: ChartKind
  /** In px. The width fills the container. */
  height: number
  points: readonly ChartPoint[]
  onChoose: (key: string) => void
}
