// How many are unread: the one petrol fill of the board.
import { classNames } from '#ui/primitives/class-names.ts'

const MOST = 99

export function UnreadPill({ count, className }: { count: number; className?: string }) {
  return (
    <span
      aria-hidden
      className={classNames(
        'grid h-5.5 min-w-5.5 place-content-center rounded-full bg-primary px-1.75 text-12 font-semibold text-on-primary tabular-nums',
        className,
      )}
    >
      {count > MOST ? `${MOST}+` : count}
    </span>
  )
}
