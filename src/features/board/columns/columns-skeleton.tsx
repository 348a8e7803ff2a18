// Placeholder of the columns while their leads are loading.
import { CardShapes } from '../card/card-shapes.tsx'

const COLUMNS = ['a', 'b', 'c', 'd', 'e']

export function ColumnsSkeleton() {
  return (
    <div className="flex gap-3.5">
      {COLUMNS.map((column) => (
        <div
          key={column}
          className="flex min-w-60 flex-1 flex-col gap-2 rounded-card bg-surface-2 px-2 pt-11.5 pb-2"
        >
          <CardShapes />
        </div>
      ))}
    </div>
  )
}
