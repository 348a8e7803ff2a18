// The board's shape while the first leads are on their way. DESIGN-SYSTEM 9; INTERACTIONS 9.
import { Skeleton } from '#ui/skeleton.tsx'
import { LOADING } from '#ui/texts.ts'
import { BOARD_TITLE } from './texts.ts'

const COLUMNS = ['a', 'b', 'c', 'd', 'e']
const CARDS = ['a', 'b', 'c']

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
        <div className="flex gap-3.5">
          {COLUMNS.map((column) => (
            <div
              key={column}
              className="flex w-60 shrink-0 flex-col gap-2 rounded-card bg-surface-2 px-2 pt-11.5 pb-2"
            >
              <CardShapes />
            </div>
          ))}
        </div>
      ) : (
        <div className="flex flex-col gap-2.5">
          <CardShapes />
        </div>
      )}
    </div>
  )
}

function CardShapes() {
  return CARDS.map((card) => (
    <div key={card} className="flex gap-3 rounded-card bg-surface p-3.5 shadow-card">
      <Skeleton isRound className="size-11 shrink-0" />
      <div className="grow">
        <Skeleton className="h-4 w-1/2" />
        <Skeleton className="mt-2.5 h-3.5" />
        <Skeleton className="mt-1.5 h-3.5 w-2/3" />
        <Skeleton className="mt-5 mb-2.5 h-3 w-16" />
      </div>
    </div>
  ))
}
