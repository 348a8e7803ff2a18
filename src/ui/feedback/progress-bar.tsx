// A progress bar; the number and text are beside it.
import { classNames } from '../primitives/class-names.ts'

const SIZE = { thin: 'h-1.5 w-32.5', normal: 'h-2.5 w-full' }

const TONE = { primary: 'text-primary', warning: 'text-warning', danger: 'text-danger' }

type ProgressBarProps = {
  label: string
  ratio: number
  size?: keyof typeof SIZE
  tone?: keyof typeof TONE
}

/** `ratio` goes from 0 to 1. */
export function ProgressBar({ label, ratio, size = 'normal', tone = 'primary' }: ProgressBarProps) {
  return (
    <progress
      aria-label={label}
      value={ratio}
      className={classNames(
        'block appearance-none overflow-hidden rounded-full bg-surface-3',
        '[&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-current [&::-webkit-progress-value]:transition-[inline-size]',
        '[&::-moz-progress-bar]:rounded-full [&::-moz-progress-bar]:bg-current',
        SIZE[size],
        TONE[tone],
      )}
    />
  )
}
