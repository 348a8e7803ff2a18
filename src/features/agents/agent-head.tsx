// The header of an agent's screen: a back button, its title, and its actions.
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '#ui/primitives/icon.tsx'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { BACK_TO_LIST } from './texts.ts'

type AgentHeadProps = {
  title: string
  /** Shown behind the title. */
  badge?: ReactNode
  children?: ReactNode
}

export function AgentHead({ title, badge, children }: AgentHeadProps) {
  usePageTitle(title)
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-2 pb-4">
      <Link
        to="/prompts"
        aria-label={BACK_TO_LIST}
        className="-ml-3 inline-flex size-11 shrink-0 items-center justify-center rounded-md text-text-2 transition-colors hover:bg-surface-2"
      >
        <Icon of={ArrowLeft} />
      </Link>
      <div className="flex min-w-0 grow basis-60 flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="min-w-0 text-24 font-semibold tracking-heading wrap-anywhere">{title}</h1>
        {badge}
      </div>
      {children}
    </header>
  )
}
