// The actions of a message: react, copy, reply, forward, send again, remove from the queue.
import { Copy, Forward, Reply, RotateCw, Trash2 } from 'lucide-react'
import type { Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { isQuotable } from '#domain/message/quotable.ts'
import { type Action, ActionMenu, type Spot } from '#ui/primitives/overlay/action-menu.tsx'
import { RETRY } from '#ui/texts.ts'
import { toast } from '#ui/feedback/toast.ts'
import { canSendAgain, canTakeBack, drop, isFile, repeat } from './message-actions.ts'
import { ReactionRow } from './reaction-row.tsx'
import { COPY, COPY_FAILED, FORWARD, MESSAGE_OPTIONS, SEND_ANEW } from '../texts.ts'

export type OpenMessageMenu = { message: Message; spot: Spot }

type MessageMenuProps = {
  contactId: number
  /** undefined: not known yet; nothing is sent then. */
  lead: Lead | undefined
  /** null: closed. */
  menu: OpenMessageMenu | null
  onClose: () => void
  /** Undefined if nothing can be written. */
  onAnswer: ((message: Message) => void) | undefined
  /** Undefined if the reader has no leads to forward to. */
  onForward: ((message: Message) => void) | undefined
}

export function MessageMenu({ contactId, lead, menu, onClose, onAnswer, onForward }: MessageMenuProps) {
  return (
    <ActionMenu
      isOpen={menu !== null}
      onClose={onClose}
      title={MESSAGE_OPTIONS}
      spot={menu?.spot ?? NOWHERE}
      head={
        lead &&
        onAnswer &&
        menu &&
        isQuotable(menu.message) && <ReactionRow lead={lead} message={menu.message} onDone={onClose} />
      }
      actions={menu ? actionsOf(contactId, menu.message, { onAnswer, onForward }) : []}
    />
  )
}

const NOWHERE: Spot = { x: 0, y: 0 }

type Deeds = Pick<MessageMenuProps, 'onAnswer' | 'onForward'>

function actionsOf(contactId: number, message: Message, { onAnswer, onForward }: Deeds): Action[] {
  const { body, delivery } = message
  const actions = [
    onAnswer !== undefined &&
      isQuotable(message) && { label: 'Responder', icon: Reply, run: () => onAnswer(message) },
    body !== '' && { label: COPY, icon: Copy, run: () => void copy(body) },
    onForward !== undefined &&
      (body !== '' || isFile(message)) && { label: FORWARD, icon: Forward, run: () => onForward(message) },
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
