// A conversation's turns in a sheet, if there is no space beside it.
import { ListTree } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { TITLE, TurnsPanel } from './turns-panel.tsx'

const OPEN = 'Ver turnos'

type TurnsFoldProps = ComponentProps<typeof TurnsPanel> & {
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

export function TurnsFold({ isOpen, onOpen, ...panel }: TurnsFoldProps) {
  return (
    <div className="flex shrink-0 border-b border-border bg-surface px-2 py-1">
      <Button
        size="small"
        variant="ghost"
        icon={ListTree}
        aria-haspopup="dialog"
        onClick={() => onOpen(true)}
      >
        {OPEN}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => onOpen(false)} title={TITLE}>
        <TurnsPanel {...panel} isTitled />
      </Dialog>
    </div>
  )
}
