// An agent's prompt in three lines that opens its editor; or a locked prompt.
import { Link } from '@tanstack/react-router'
import { ChevronRight, Lock, type LucideIcon } from 'lucide-react'
import type { PromptField } from '#domain/agent/agent.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { DRAFT } from '../texts.ts'

type PromptCardProps = {
  agentId: number
  field: PromptField
  /** The title of the column that the card is in. */
  title: string
  icon: LucideIcon
  text: string
  isDraft: boolean
}

export function PromptCard({ agentId, field, title, icon, text, isDraft }: PromptCardProps) {
  const words = text.trim()
  return (
    <Link
      to="/prompts/$id/$field"
      params={{ id: String(agentId), field }}
      className="flex min-h-31 flex-col rounded-lg bg-surface px-4.5 py-3.5 shadow-card transition-colors hover:bg-surface-2"
    >
      <span className="flex items-center gap-2.5 pb-1.5 text-15 font-semibold">
        <Icon of={icon} size={18} className="text-primary" />
        <span className="grow">{title}</span>
        {isDraft && <Badge tone="info">{DRAFT}</Badge>}
        <Icon of={ChevronRight} size={18} className="text-text-2" />
      </span>
      <span
        className={`line-clamp-3 text-14 leading-body wrap-anywhere ${words === '' ? 'text-text-3' : 'text-text-2'}`}
      >
        {words || 'Nenhum conteúdo definido...'}
      </span>
    </Link>
  )
}

export function LockedCard({ title, icon }: { title: string; icon: LucideIcon }) {
  return (
    <div className="flex min-h-17 items-center gap-2.5 rounded-lg bg-surface-2 px-4.5 py-3">
      <Icon of={icon} size={18} className="text-text-3" />
      <div className="min-w-0 grow">
        <h3 className="text-15 font-semibold text-text-2">{title}</h3>
        <p className="text-13 text-text-3">Campo bloqueado para edição...</p>
      </div>
      <Icon of={Lock} size={18} className="text-text-3" />
    </div>
  )
}
