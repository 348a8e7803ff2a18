// The only import of the chart library, which loads with the first chart. Each chart has a table with the same content
// for screen readers.
import { Suspense } from 'react'
import type { ChartProps } from './chart-point.ts'
import { lazily } from '../lazily.ts'
import { Skeleton } from '../feedback/skeleton.tsx'

/** The table's headings: what the points are, what is counted, and of what each point is a share. */
type Heads = { name: string; part: string; count: string; share?: string }

const canvas = lazily(async () => (await import('./chart-canvas.tsx')).ChartCanvas)

/** A chart. A press on a point chooses it. Keyboards use the text beside the chart, which does the same. */
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
              <th scope="col">{heads.share ?? 'Parte do total'}</th>
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
