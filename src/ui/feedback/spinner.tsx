// A spinner for a wait inside a control; a pulsing dot with reduced motion.
import { classNames } from '../primitives/class-names.ts'

export function Spinner({ size = 'small' }: { size?: 'small' | 'large' }) {
  return (
    <span
      aria-hidden
      className={classNames(
        'inline-block shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent',
        'motion-reduce:animate-pulse motion-reduce:border-0 motion-reduce:bg-current',
        size === 'small' ? 'size-4' : 'size-8 border-3',
      )}
    />
  )
}
