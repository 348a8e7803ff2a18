// Placeholder of the board while the first leads are loading.
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { LOADING } from '#ui/texts.ts'
import { CardShapes } from './card/card-shapes.tsx'
import { ColumnsSkeleton } from './columns/columns-skeleton.tsx'
import { BOARD_TITLE } from './ground/texts.ts'

export function BoardSkeleton({ isWide }: { isWide: boolean }) {
  return (
    <div
      aria-busy
      className="flex min-h-0 grow animate-late flex-col overflow-hidden px-4 pt-3 lg:px-8 lg:pt-7"
    >
      <h1 className="sr-only">{BOARD_TITLE}</h1>
      <output className="sr-only">{LOADING}</output>
      <Skeleton className="h-4 w-36" />
      <Skeleton className="mt-2 mb-4 h-7 w-56" />
      {isWide ? (
        <ColumnsSkeleton />
      ) : (
        <div className="flex flex-col gap-2.5">
          <CardShapes />
        </div>
      )}
    </div>
  )
}
