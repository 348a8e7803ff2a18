// A progress ring.

const RADIUS = 15
const LENGTH = 2 * Math.PI * RADIUS

/** Hidden from screen readers, because a <progress> beside it has the same value. `ratio` goes from 0 to 1. */
export function ProgressRing({ ratio }: { ratio: number }) {
  return (
    <svg viewBox="0 0 36 36" aria-hidden className="size-9 -rotate-90 fill-none stroke-current">
      <circle cx="18" cy="18" r={RADIUS} strokeWidth="3" className="opacity-30" />
      <circle
        cx="18"
        cy="18"
        r={RADIUS}
        strokeWidth="3"
        strokeLinecap="round"
        strokeDasharray={LENGTH}
        // At least a small arc, because an empty ring would look stuck.
        strokeDashoffset={LENGTH * (1 - Math.max(0.04, ratio))}
        className="transition-[stroke-dashoffset]"
      />
    </svg>
  )
}
