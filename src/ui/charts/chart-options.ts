// Options of each chart type: no toolbar, labels on the parts, little animation.
import type { ApexOptions } from 'apexcharts'
import type { ChartKind, ChartPoint } from './chart-point.ts'
import { type Inks, inkOf } from './chart-inks.ts'
import { wantsLessMotion } from '../motion/motion.ts'

type Drawing = { points: readonly ChartPoint[]; inks: Inks }

const SLOW_MS = 280
const SLICE_GAP = 2.5
/** The axis is this much higher than the highest column, to leave space for its number. */
const HEADROOM = 1.18

export function chartOptions(kind: ChartKind, drawing: Drawing): ApexOptions {
  const shared = sharedOptions(drawing)
  if (kind === 'donut') return { ...shared, ...donutOptions(drawing) }
  if (kind === 'parted') return { ...shared, ...partedOptions(drawing) }
  return { ...shared, ...(kind === 'columns' ? columnOptions(drawing) : barOptions(drawing)) }
}

export function chartSeries(kind: ChartKind, points: readonly ChartPoint[]): ApexOptions['series'] {
  const sizes = points.map(({ size }) => size)
  if (kind === 'donut') return sizes
  if (kind !== 'parted') return [{ data: sizes }]
  const parts = points.map(({ part = 0 }) => part)
  return [{ data: parts }, { data: points.map(({ size, part = 0 }) => size - part) }]
}

function sharedOptions({ points }: Drawing): ApexOptions {
  const still = { filter: { type: 'none' } }
  return {
    chart: {
      fontFamily: 'inherit',
      sparkline: { enabled: true },
      toolbar: { show: false },
      zoom: { enabled: false },
      animations: {
        enabled: !wantsLessMotion(),
        speed: SLOW_MS,
        animateGradually: { enabled: false },
        dynamicAnimation: { enabled: !wantsLessMotion(), speed: SLOW_MS },
      },
    },
    labels: points.map(({ label }) => label),
    legend: { show: false },
    fill: { opacity: 1 },
    states: { hover: still, active: still },
    tooltip: {
      custom: ({ seriesIndex, dataPointIndex }: Pointed) => toTooltip(points, seriesIndex, dataPointIndex),
    },
  }
}

type Pointed = { seriesIndex: number; dataPointIndex: number | undefined }

/**
 * Builds the tooltip as an element instead of markup, because people typed the names. For a donut, the slice is in
 * `series`.
 */
function toTooltip(points: readonly ChartPoint[], series: number, index: number | undefined) {
  const tip = document.createElement('span')
  const point = points[index === undefined || index < 0 ? series : index]
  if (point) tip.textContent = `${point.label}: ${point.count} (${point.share})`
  return tip
}

function donutOptions({ points, inks }: Drawing): ApexOptions {
  const turn = <T>(of: readonly T[]) => points.map((_, index) => of[inkOf(index, points.length)]) as T[]
  return {
    colors: turn(inks.parts),
    stroke: { width: SLICE_GAP, colors: [inks.surface] },
    plotOptions: {
      pie: { expandOnClick: false, donut: { size: '62%' }, dataLabels: { minAngleToShowLabel: 0 } },
    },
    dataLabels: {
      enabled: true,
      formatter: (_value, { seriesIndex }: { seriesIndex: number }) => points[seriesIndex]?.caption ?? '',
      style: { fontSize: '12.5px', fontWeight: 640, colors: turn(inks.onParts) },
      dropShadow: { enabled: false },
    },
  }
}

function columnOptions({ points, inks }: Drawing): ApexOptions {
  return {
    colors: points.map(({ isHighest }) => (isHighest ? inks.bar : inks.rest)),
    plotOptions: {
      bar: {
        distributed: true,
        columnWidth: '62%',
        borderRadius: 7,
        borderRadiusApplication: 'end',
        dataLabels: { position: 'top' },
      },
    },
    yaxis: { min: 0, max: Math.max(...points.map(({ size }) => size)) * HEADROOM },
    dataLabels: {
      enabled: true,
      offsetY: -24,
      formatter: (_value, { dataPointIndex }: { dataPointIndex: number }) =>
        points[dataPointIndex]?.caption ?? '',
      style: { fontSize: '13px', fontWeight: 560, colors: [inks.text] },
    },
  }
}

/** Returns the options for columns whose lower part is highlighted. */
function partedOptions({ points, inks }: Drawing): ApexOptions {
  return {
    chart: { ...sharedOptions({ points, inks }).chart, stacked: true },
    colors: [inks.bar, inks.rest],
    plotOptions: {
      bar: {
        columnWidth: '68%',
        borderRadius: 4,
        borderRadiusApplication: 'end',
        borderRadiusWhenStacked: 'last',
        dataLabels: {
          total: {
            enabled: true,
            offsetY: -4,
            formatter: (_value, at?: { dataPointIndex: number }) =>
              points[at?.dataPointIndex ?? -1]?.caption ?? '',
            style: { fontSize: '12px', fontWeight: 560, color: inks.text },
          },
        },
      },
    },
    yaxis: { min: 0, max: Math.max(1, ...points.map(({ size }) => size)) * HEADROOM },
    dataLabels: { enabled: false },
  }
}

/** Spaces that move text away from the bar's end, because the library has no such option. */
const INDENT = '\u00A0\u00A0'

function barOptions({ points, inks }: Drawing): ApexOptions {
  return {
    colors: [inks.bar],
    plotOptions: {
      bar: {
        horizontal: true,
        barHeight: '66%',
        borderRadius: 7,
        colors: { backgroundBarColors: points.map(() => inks.track), backgroundBarRadius: 7 },
        dataLabels: { position: 'bottom' },
      },
    },
    xaxis: { min: 0, max: Math.max(...points.map(({ size }) => size)) },
    dataLabels: {
      enabled: true,
      textAnchor: 'start',
      formatter: (_value, { dataPointIndex }: { dataPointIndex: number }) =>
        INDENT + (points[dataPointIndex]?.caption ?? ''),
      style: { fontSize: '12.5px', fontWeight: 640, colors: [inks.onBar] },
    },
  }
}
