// The actions of a message: react, copy, reply, forward, edit, delete for all, send again, remove from the queue.
import { Copy, Forward, Pencil, Reply, RotateCw, Trash2 } from 'lucide-react'
import type { Lead } from '#domain/lead/lead.ts'
import { canDelete, canEdit } from '#domain/message/change.ts'
import type { Message } from '#domain/message/message.ts'
import { isQuotable } from '#domain/message/quotable.ts'
import { type Action, ActionMenu, type Spot } from '#ui/primitives/overlay/action-menu.tsx'
import { RETRY } from '#ui/texts.ts'
import { toast } from '#ui/feedback/toast.ts'
import { askToDelete, canSendAgain, canTakeBack, drop, isFile, repeat } from './message-actions.ts'
import { ReactionRow } from './reaction-row.tsx'
import { COPY, COPY_FAILED, DELETE_FOR_ALL, FORWARD, MESSAGE_OPTIONS, SEND_ANEW } from '../ground/texts.ts'

export type OpenMessageMenu = { message: Message; spot: Spot }

type MessageMenuProps = {
  contactId: number
  /** Undefined while the lead is unknown; then nothing can be sent. */
  lead: Lead | undefined
  /** Null while the menu is closed. */
  menu: OpenMessageMenu | null
  onClose: () => void
  /** Undefined if the reader cannot write here. */
  onAnswer: ((message: Message) => void) | undefined
  /** Undefined if the reader has no leads to forward a message to. */
  onForward: ((message: Message) => void) | undefined
  onEdit: ((message: Message) => void) | undefined
}

export function MessageMenu({ contactId, lead, menu, onClose, ...deeds }: MessageMenuProps) {
  return (
    <ActionMenu
      isOpen={menu !== null}
      onClose={onClose}
      title={MESSAGE_OPTIONS}
      spot={menu?.spot ?? NOWHERE}
      head={
        lead &&
        deeds.onAnswer &&
        menu &&
        isQuotable(menu.message) && <ReactionRow lead={lead} message={menu.message} onDone={onClose} />
      }
      actions={menu ? actionsOf(contactId, menu.message, { lead, ...deeds }) : []}
    />
  )
}

const NOWHERE: Spot = { x: 0, y: 0 }

type Deeds = Pick<MessageMenuProps, 'lead' | 'onAnswer' | 'onForward' | 'onEdit'>

function actionsOf(
  contactId: number,
  message: Message,
  { lead, onAnswer, onForward, onEdit }: Deeds,
): Action[] {
  const { body, delivery } = message
  const nowMs = Date.now()
  const actions = [
    onAnswer !== undefined &&
      isQuotable(message) && { label: 'Responder', icon: Reply, run: () => onAnswer(message) },
    body !== '' && { label: COPY, icon: Copy, run: () => void copy(body) },
    onForward !== undefined &&
      (body !== '' || isFile(message)) && { label: FORWARD, icon: Forward, run: () => onForward(message) },
    onEdit !== undefined &&
      canEdit(message, nowMs) && { label: 'Editar', icon: Pencil, run: () => onEdit(message) },
    canSendAgain(message) && {
      label: delivery === 'unknown' ? SEND_ANEW : RETRY,
      icon: RotateCw,
      run: () => repeat(contactId, message),
    },
    canTakeBack(message) && {
      label: 'Descartar',
      icon: Trash2,
      isDanger: true,
      run: () => drop(contactId, message),
    },
    lead !== undefined &&
      onEdit !== undefined &&
      canDelete(message, nowMs) && {
        label: DELETE_FOR_ALL,
        icon: Trash2,
        isDanger: true,
        run: () => askToDelete(lead, message),
      },
  ]
  return actions.filter((action) => action !== false)
}

async function copy(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    toast('Texto copiado', 'success')
  } catch {
    toast(COPY_FAILED, 'error')
  }
}
