// Placeholders of three cards while the leads are loading.
import { Skeleton } from '#ui/feedback/skeleton.tsx'

const CARDS = ['a', 'b', 'c']

export function CardShapes() {
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
