// The shape of what is being loaded, after a moment only. DESIGN-SYSTEM 9.
import { classNames } from './class-names.ts'

export function Skeleton({ className }: { className: string }) {
  return (
    <span
      aria-hidden
      className={classNames(
        'block animate-pulse rounded-sm bg-surface-3 motion-reduce:animate-none',
        className,
      )}
    />
  )
}
