// Replaces content that is empty, offline or failed. One line tells what happened, one what to do.
import { CircleAlert, CloudOff, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../primitives/icon.tsx'

const BOX = {
  empty: 'bg-surface-2 text-text-3',
  offline: 'bg-surface-3 text-text-2',
  error: 'bg-danger-soft text-on-danger-soft',
}

type StateProps = {
  title: string
  hint?: string | undefined
  /** One button, or none. */
  children?: ReactNode
} & ({ kind: 'empty'; icon: LucideIcon } | { kind: 'offline' | 'error'; icon?: never })

export function State({ kind, icon, title, hint, children }: StateProps) {
  return (
    <div
      role={kind === 'error' ? 'alert' : undefined}
      className="mx-auto flex max-w-112 flex-col items-center gap-3 px-6 py-12 text-center"
    >
      <span className={`inline-flex size-14 items-center justify-center rounded-lg ${BOX[kind]}`}>
        <Icon of={kind === 'empty' ? icon : kind === 'error' ? CircleAlert : CloudOff} size={24} />
      </span>
      <p className="text-17 leading-snug font-semibold text-balance">{title}</p>
      {hint && <p className="leading-body text-pretty text-text-2">{hint}</p>}
      {children}
    </div>
  )
}
