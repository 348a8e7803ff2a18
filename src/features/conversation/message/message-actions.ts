// The actions of a message, which depend on its delivery state.
import { deleteForAll } from '../ground/changes-data.ts'
import { sendAgain, takeBack } from '#data/messages/sending.ts'
import { PortalError } from '#domain/errors.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { isQuotable } from '#domain/message/quotable.ts'
import { AGAIN_QUESTION, MAY_ARRIVE_TWICE } from '#domain/message/outgoing.ts'
import { ask } from '#ui/feedback/ask.ts'
import { toast } from '#ui/feedback/toast.ts'
import { DELETE_FOR_ALL, notDone, SEND_ANEW } from '../ground/texts.ts'

export function hasActions(message: Message): boolean {
  return (
    isQuotable(message) ||
    isFile(message) ||
    message.body !== '' ||
    canSendAgain(message) ||
    canTakeBack(message)
  )
}

/** True if the message's file can be forwarded: the server has it, and it is not view-once. */
export function isFile({ id, content }: Message): boolean {
  return id > 0 && 'media' in content && content.kind !== 'sticker' && !content.media.isViewOnce
}

/** A failed or unknown message can be sent again, unless that has been done already. */
export function canSendAgain({ delivery, deliveryReason, refusal }: Message): boolean {
  if (refusal?.isOutdated) return false
  return (delivery === 'failed' || delivery === 'unknown') && deliveryReason !== 'retried'
}

/**
 * Tells whether a message can be removed. One that WhatsApp refused, or whose result is unknown, cannot, because it may
 * have arrived.
 */
export function canTakeBack({ delivery, deliveryReason }: Message): boolean {
  return (
    delivery === 'queued' ||
    (delivery === 'failed' && deliveryReason !== 'rejected' && deliveryReason !== 'retried')
  )
}

/** Sends a message again; asks for confirmation first if the message may have arrived. */
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

export function askToDelete(lead: Lead, message: Message) {
  ask({
    question: `${DELETE_FOR_ALL}?`,
    consequence: 'Some também no WhatsApp do contato, que vê “Mensagem apagada”.',
    action: { label: 'Apagar', run: () => void tryTo(deleteForAll(lead, message)) },
  })
}

async function tryTo(deed: Promise<void>) {
  try {
    await deed
  } catch (error) {
    toast(notDone(error instanceof PortalError ? error.message : null), 'error')
  }
}
