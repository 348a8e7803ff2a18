// 'Mover para': a list of all stages, as an alternative to swiping.
import {
  type LucideIcon,
  MessageCircleCheck,
  MessageCircleDashed,
  UserRoundPlus,
  UserRoundX,
} from 'lucide-react'
import { useState } from 'react'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Choices } from '#ui/forms/choices.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import type { Column } from '../ground/board-view.ts'
import { MOVE_TO } from './texts.ts'
import { contacts } from '../ground/texts.ts'

type MoveSheetProps = {
  columns: readonly Column[]
  /** The lead to move; undefined while the sheet is closed. */
  lead: Lead | undefined
  onMove: (lead: Lead, toSlug: string) => void
  onTransfer?: ((lead: Lead) => void) | undefined
  onPrivate?: ((lead: Lead) => void) | undefined
  /** Marks the conversation as unread, or as read if it is unread. */
  onUnread?: ((lead: Lead) => void) | undefined
  onClose: () => void
}

export function MoveSheet({
  columns,
  lead,
  onMove,
  onTransfer,
  onPrivate,
  onUnread,
  onClose,
}: MoveSheetProps) {
  // The closing animation still shows this lead, so that the text does not vanish at once.
  const [last, setLast] = useState(lead)
  if (lead && lead !== last) setLast(lead)
  if (!last) return null
  return (
    <Dialog
      isOpen={lead !== undefined}
      onClose={onClose}
      title={MOVE_TO}
      subtitle={leadTitle(last)}
      lead={<Avatar name={last.name} pictureUrl={last.pictureUrl} size={36} />}
    >
      <Choices
        name={MOVE_TO}
        choices={columns.map(({ stage, total }) => ({
          value: stage.slug,
          label: stage.name,
          hue: stage.hue,
          note: { text: String(total), spoken: contacts(total) },
        }))}
        value={last.stageSlug}
        onChoose={(slug) => onMove(last, slug)}
        onDone={onClose}
      />
      <More
        icon={UserRoundPlus}
        label="Passar para outro corretor"
        run={onTransfer}
        lead={last}
        onClose={onClose}
      />
      <More
        {...(last.unreadCount > 0
          ? { icon: MessageCircleCheck, label: 'Marcar como lida' }
          : { icon: MessageCircleDashed, label: 'Marcar como não lida' })}
        run={onUnread}
        lead={last}
        onClose={onClose}
      />
      <More icon={UserRoundX} label="Não é lead" run={onPrivate} lead={last} onClose={onClose} />
    </Dialog>
  )
}

type MoreProps = Pick<MoveSheetProps, 'onClose'> & {
  icon: LucideIcon
  label: string
  run: ((lead: Lead) => void) | undefined
  lead: Lead
}

/** An action below the stages, such as marking as unread. */
function More({ icon, label, run, lead, onClose }: MoreProps) {
  if (!run) return null
  const act = () => {
    onClose()
    run(lead)
  }
  return (
    <div className="mt-2 border-t border-border px-1 pt-2">
      <Button variant="ghost" icon={icon} onClick={act}>
        {label}
      </Button>
    </div>
  )
}
