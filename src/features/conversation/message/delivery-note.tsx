// Explains a failed message, an unknown result or a refused edit below the message, with a button to send a failed one
// again.
import { changeFault } from '#domain/message/change.ts'
import type { Message } from '#domain/message/message.ts'
import { DELIVERY_REASON } from '#domain/message/outgoing.ts'
import { RETRY } from '#ui/texts.ts'
import { canSendAgain, repeat } from './message-actions.ts'
import { RefusalLine } from './refusal-line.tsx'
import { SEND_ANEW } from '../ground/texts.ts'

type DeliveryNoteProps = { contactId: number; message: Message }

export function DeliveryNote({ contactId, message }: DeliveryNoteProps) {
  const { delivery, change, refusal } = message
  if (refusal)
    return refusal.isLast && <RefusalLine contactId={contactId} message={message} refusal={refusal} />
  const isRefused = change?.state === 'refused' || change?.state === 'late'
  const reason = reasonOf(message)
  const isOver = canSendAgain(message)
  if (reason === null && !isOver) return null
  return (
    <div className="mt-1 ml-auto flex w-fit max-w-[81%] flex-col items-end text-right text-13">
      {reason && (
        <p className={delivery === 'failed' || isRefused ? 'text-danger' : 'text-text-2'}>{reason}</p>
      )}
      {isOver && (
        <button
          type="button"
          onClick={() => repeat(contactId, message)}
          className="min-h-11 rounded-md px-1 font-semibold text-primary"
        >
          {delivery === 'unknown' ? SEND_ANEW : RETRY}
        </button>
      )}
    </div>
  )
}

function reasonOf({ delivery, deliveryReason, change }: Message): string | null {
  if (change) return changeFault(change)
  const words: Readonly<Record<string, string>> = DELIVERY_REASON
  return (
    words[deliveryReason ?? ''] ??
    (delivery === 'unknown' ? 'Pode ter sido enviada. Confira no celular antes de repetir.' : null)
  )
}
