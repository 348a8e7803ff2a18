// The only door to the chart library, which is fetched when a chart is first shown; each chart with an equal table for whoever does not see it.
import { Suspense } from 'react'
import type { ChartProps } from './chart-point.ts'
import { lazily } from '../lazily.ts'
import { Skeleton } from '../feedback/skeleton.tsx'

/** Heads of the table: what the points are, and what is counted. */
type Heads = { name: string; part: string; count: string }

const canvas = lazily(async () => (await import('./chart-canvas.tsx')).ChartCanvas)

/** Pressing a point chooses it; for keyboards its words beside the chart do the same. */
export function Chart({ heads, ...chart }: ChartProps & { heads: Heads }) {
  const { height, points } = chart
  return (
    <>
      <div aria-hidden className="chart relative" style={{ height }}>
        <Suspense fallback={<Skeleton className="size-full" />}>
          <canvas.Component {...chart} />
        </Suspense>
      </div>
      <div className="sr-only">
        <table>
          <caption>{heads.name}</caption>
          <thead>
            <tr>
              <th scope="col">{heads.part}</th>
              <th scope="col">{heads.count}</th>
              <th scope="col">Parte do total</th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ key, label, count, share }) => (
              <tr key={key}>
                <th scope="row">{label}</th>
                <td>{count}</td>
                <td>{share}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
