// A strip with one message about the whole page and at most one action.
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'

const TONE = {
  dark: { box: 'bg-banner text-on-banner', accent: 'text-banner-accent' },
  warning: { box: 'bg-warning-soft text-on-warning-soft', accent: 'text-on-warning-soft' },
  danger: { box: 'bg-danger-soft text-on-danger-soft', accent: 'text-on-danger-soft' },
}

type BannerProps = {
  tone: keyof typeof TONE
  icon: LucideIcon
  children: ReactNode
  action?: { label: string; run: () => void }
  /** True if screen readers interrupt other speech to announce it. */
  isUrgent?: boolean
}

export function Banner({ tone, icon, children, action, isUrgent }: BannerProps) {
  const { box, accent } = TONE[tone]
  return (
    <output
      role={isUrgent ? 'alert' : undefined}
      className={classNames(
        'flex min-h-12 items-center gap-2.5 rounded-tab py-1 pr-1.5 pl-3.5 text-14 font-medium',
        box,
      )}
    >
      <Icon of={icon} className={accent} />
      <span className="min-w-0 grow py-1.5 leading-snug text-balance">{children}</span>
      {action && (
        <button
          type="button"
          onClick={action.run}
          className={classNames('min-h-11 shrink-0 rounded-md px-2.5 font-semibold', accent)}
        >
          {action.label}
        </button>
      )}
    </output>
  )
}
