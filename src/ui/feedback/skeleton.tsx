// A placeholder in the shape of the loading content.
import { useBusy } from '../busy.ts'
import { classNames } from '../primitives/class-names.ts'

type SkeletonProps = { className: string; isRound?: boolean }

export function Skeleton({ className, isRound = false }: SkeletonProps) {
  useBusy(true)
  return (
    <span
      aria-hidden
      className={classNames(
        'block animate-pulse bg-surface-3 motion-reduce:animate-none',
        isRound ? 'rounded-full' : 'rounded-sm',
        className,
      )}
    />
  )
}
