// The turns of a conversation where there is no room beside it: in a sheet of their own.
import { ListTree } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/dialog.tsx'
import { TITLE, TurnsPanel } from './turns-panel.tsx'

const OPEN = 'Ver turnos'

export function TurnsFold({ agentId, contactId }: { agentId: number; contactId: number }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="flex border-b border-border bg-surface px-2 py-1 min-[1200px]:hidden">
      <Button
        size="small"
        variant="ghost"
        icon={ListTree}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {OPEN}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={TITLE}>
        <TurnsPanel agentId={agentId} contactId={contactId} isTitled />
      </Dialog>
    </div>
  )
}
