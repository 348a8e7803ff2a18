// What a chart is told: its points, how they are drawn, and what pressing one does.

export type ChartPoint = {
  /** Tells it from the others, also when its numbers change. */
  key: string
  /** What it is called, whole. */
  label: string
  /** How large it is drawn; what it counts says `count`. */
  size: number
  /** Stands on it; empty where there is no room. */
  caption: string
  count: string
  /** Its part of the whole, in words. */
  share: string
  /** A bar that stands out from the others. */
  isHighest?: boolean
}

export type ChartKind = 'donut' | 'columns' | 'bars'

export type ChartProps = {
  kind: ChartKind
  /** In px; the width is what there is. */
  height: number
  points: readonly ChartPoint[]
  onChoose: (key: string) => void
}
