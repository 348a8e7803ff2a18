// One line of what, one of what to do; no illustration. DESIGN-SYSTEM 9.
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

type EmptyStateProps = { icon: LucideIcon; title: string; hint?: string; children?: ReactNode }

export function EmptyState({ icon, title, hint, children }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-112 flex-col items-center gap-3 px-6 py-12 text-center">
      <span className="inline-flex size-14 items-center justify-center rounded-lg bg-surface-2 text-text-3">
        <Icon of={icon} size={24} />
      </span>
      <p className="text-16 leading-snug font-semibold text-balance">{title}</p>
      {hint && <p className="leading-body text-text-2 text-pretty">{hint}</p>}
      {children}
    </div>
  )
}
