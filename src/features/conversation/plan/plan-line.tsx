// A line about the plan at the end of a conversation.
import { Hourglass, Repeat } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '#ui/primitives/icon.tsx'

export function PlanLine({ onEdit, children }: { onEdit?: () => void; children: ReactNode }) {
  return (
    <div className="flex items-center justify-center gap-1.5 bg-chat-bg px-3.5 pb-3 text-13 text-text-2">
      <Icon of={onEdit ? Repeat : Hourglass} size={14} />
      {children}
      {onEdit && (
        <button type="button" onClick={onEdit} className="-my-3 min-h-11 px-2 font-semibold text-primary">
          Editar
        </button>
      )}
    </div>
  )
}
