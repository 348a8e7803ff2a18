// A card that can be expanded.
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

type CollapsibleProps = {
  title: string
  /** A count beside the title. */
  badge?: ReactNode
  onToggle?: (isOpen: boolean) => void
  children: ReactNode
}

export function Collapsible({ title, badge, onToggle, children }: CollapsibleProps) {
  return (
    <details
      onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}
      className="group rounded-lg bg-surface shadow-card"
    >
      <summary className="flex min-h-15 cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1 rounded-lg px-5 py-3 [&::-webkit-details-marker]:hidden">
        <Icon of={ChevronRight} size={18} className="text-text-3 transition-transform group-open:rotate-90" />
        <h2 className="text-15 font-semibold tracking-name">{title}</h2>
        {badge}
      </summary>
      {children}
    </details>
  )
}
