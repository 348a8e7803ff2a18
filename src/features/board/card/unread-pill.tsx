// The number of unread messages; null shows a dot. No other element of the board is filled with petrol.
import { classNames } from '#ui/primitives/class-names.ts'

const MAX_SHOWN = 99

export function UnreadPill({ count, className }: { count: number | null; className?: string }) {
  return (
    <span
      aria-hidden
      className={classNames(
        'unread-pill rounded-full bg-primary text-12 font-semibold text-on-primary tabular-nums',
        className,
      )}
    >
      {count !== null && count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}
    </span>
  )
}
