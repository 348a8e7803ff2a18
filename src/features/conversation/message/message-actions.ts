// What may be done with a line, by how far it went, and the doing.
import { sendAgain, takeBack } from '#data/messages/sending.ts'
import { PortalError } from '#domain/errors.ts'
import type { Message } from '#domain/message/message.ts'
import { isQuotable } from '#domain/message/quotable.ts'
import { AGAIN_QUESTION, MAY_ARRIVE_TWICE } from '#domain/message/outgoing.ts'
import { ask } from '#ui/feedback/ask.ts'
import { toast } from '#ui/feedback/toast.ts'
import { notDone, SEND_ANEW } from '../texts.ts'

export function hasActions(message: Message): boolean {
  return (
    isQuotable(message) ||
    isFile(message) ||
    message.body !== '' ||
    canSendAgain(message) ||
    canTakeBack(message)
  )
}

/** Whether its file can go on to somebody else: the server has it, and it may be seen more than once. */
export function isFile({ id, content }: Message): boolean {
  return id > 0 && 'media' in content && content.kind !== 'sticker' && !content.media.isViewOnce
}

/** Sent again already, it is not sent a third time by mistake. */
export function canSendAgain({ delivery, deliveryReason }: Message): boolean {
  return (delivery === 'failed' || delivery === 'unknown') && deliveryReason !== 'retried'
}

/** What WhatsApp refused or nobody knows of stays: it may have arrived. */
export function canTakeBack({ delivery, deliveryReason }: Message): boolean {
  return (
    delivery === 'queued' ||
    (delivery === 'failed' && deliveryReason !== 'rejected' && deliveryReason !== 'retried')
  )
}

/** What may have arrived is asked about first. */
export function repeat(contactId: number, message: Message) {
  const run = () => void tryTo(sendAgain(contactId, message))
  if (message.delivery !== 'unknown') return run()
  return ask({
    question: AGAIN_QUESTION,
    consequence: MAY_ARRIVE_TWICE,
    action: { label: SEND_ANEW, run, tone: 'primary' },
  })
}

export function drop(contactId: number, message: Message) {
  void tryTo(takeBack(contactId, message))
}

async function tryTo(deed: Promise<void>) {
  try {
    await deed
  } catch (error) {
    toast(notDone(error instanceof PortalError ? error.message : null), 'error')
  }
}
