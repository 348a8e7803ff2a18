// A small chip with text on a soft background.
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

const TONE = {
  primary: 'bg-primary-soft text-on-primary-soft',
  success: 'bg-success-soft text-on-success-soft',
  warning: 'bg-warning-soft text-on-warning-soft',
  danger: 'bg-danger-soft text-on-danger-soft',
  info: 'bg-info-soft text-on-info-soft',
  neutral: 'bg-surface-2 text-text-2',
}

type BadgeProps = { tone: keyof typeof TONE; className?: string | undefined; children: ReactNode }

export function Badge({ tone, className, children }: BadgeProps) {
  return (
    <span
      className={classNames(
        'inline-flex min-h-5.5 shrink-0 items-center rounded-full px-2 text-12 font-medium whitespace-nowrap',
        TONE[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}
