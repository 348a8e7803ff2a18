// A chart drawn by the library; a chunk of its own.
import { type MouseEvent, useMemo } from 'react'
import library from 'react-apexcharts'
import 'apexcharts/dist/apexcharts.css'
import '#styles/chart.css'
import { useInks } from './chart-inks.ts'
import { chartOptions, chartSeries } from './chart-options.ts'
import type { ChartProps } from './chart-point.ts'

const TYPE = { donut: 'donut', columns: 'bar', bars: 'bar' } as const

const ApexChart = component()
ownStyles()

export function ChartCanvas({ kind, height, points, onChoose }: ChartProps) {
  const inks = useInks()
  // Equal numbers are drawn once: an answer that brought nothing new leaves the chart alone.
  const drawn = JSON.stringify(points)
  const { options, series } = useMemo(() => {
    const same: typeof points = JSON.parse(drawn)
    return { options: chartOptions(kind, { points: same, inks }), series: chartSeries(kind, same) }
  }, [kind, drawn, inks])
  // The library numbers what it draws of the points.
  const choose = ({ target }: MouseEvent) => {
    const at = target instanceof Element ? target.closest('path[j]')?.getAttribute('j') : null
    const point = points[Number(at ?? -1)]
    if (point) onChoose(point.key)
  }
  // Drawn again whole: the library would keep the words of the first drawing.
  const key = `${drawn} ${inks.surface}`
  return (
    // For a pointer only: the words beside the chart do the same for everyone.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div onClick={choose}>
      <ApexChart key={key} type={TYPE[kind]} options={options} series={series} height={height} width="100%" />
    </div>
  )
}

/** The library writes its styles into the page, which the content policy refuses, unless it finds them there. */
function ownStyles() {
  const marker = document.createElement('meta')
  marker.id = 'apexcharts-css'
  document.head.append(marker)
}

/** The package is no module: what it exports as its default stands one step further in. */
function component(): typeof library {
  const isComponent = (value: unknown): value is typeof library => typeof value === 'function'
  const inner: unknown = Reflect.get(library, 'default')
  return isComponent(inner) ? inner : library
}
