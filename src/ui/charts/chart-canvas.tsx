// Draws a chart with the library, in a chunk of its own.
import { type MouseEvent, useMemo } from 'react'
import library from 'react-apexcharts'
import 'apexcharts/dist/apexcharts.css'
import '#styles/chart.css'
import './clean-chart.ts'
import { useInks } from './chart-inks.ts'
import { chartOptions, chartSeries } from './chart-options.ts'
import type { ChartProps } from './chart-point.ts'

const TYPE = { donut: 'donut', columns: 'bar', parted: 'bar', bars: 'bar' } as const

const ApexChart = component()
ownStyles()

export function ChartCanvas({ kind, height, points, onChoose }: ChartProps) {
  const inks = useInks()
  // Compared as text, so that equal data does not draw the chart again.
  const drawn = JSON.stringify(points)
  const { options, series } = useMemo(() => {
    const same: typeof points = JSON.parse(drawn)
    return { options: chartOptions(kind, { points: same, inks }), series: chartSeries(kind, same) }
  }, [kind, drawn, inks])
  // The library writes a point's index into the attribute `j`.
  const choose = ({ target }: MouseEvent) => {
    const at = target instanceof Element ? target.closest('path[j]')?.getAttribute('j') : null
    const point = points[Number(at ?? -1)]
    if (point) onChoose(point.key)
  }
  // The key changes with the data, which draws a new chart; an update would keep the old labels.
  const key = `${drawn} ${inks.surface}`
  return (
    // For pointers only: the text beside the chart offers the same to everyone.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div onClick={choose}>
      <ApexChart key={key} type={TYPE[kind]} options={options} series={series} height={height} width="100%" />
    </div>
  )
}

/** Provides the library's styles, because the content security policy blocks its own style element. */
function ownStyles() {
  const marker = document.createElement('meta')
  marker.id = 'apexcharts-css'
  document.head.append(marker)
}

/** Returns the library's component. The package is CommonJS, so its default export lies one level deeper. */
function component(): typeof library {
  const isComponent = (value: unknown): value is typeof library => typeof value === 'function'
  const inner: unknown = Reflect.get(library, 'default')
  return isComponent(inner) ? inner : library
}
