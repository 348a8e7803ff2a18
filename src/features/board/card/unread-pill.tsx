// The number of unread messages, or null for a dot: the only petrol-filled element of the board.
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
