// Sends on 'Enviar': the text, the files with the text as caption, or both in order.
import { useEffect, useRef } from 'react'
import { attachmentsOf, useAttachments } from '#data/messages/draft-attachments.ts'
import { restoreDraftAttachments, settleDraftAttachments } from '../ground/attachments-data.ts'
import { captionTaker, isFresh, sendDraftAttachments } from '#data/messages/send-attachments.ts'
import { sendText } from '#data/messages/sending.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { MAX_CAPTION } from '#domain/message/outgoing.ts'
import type { ReplyFile } from '#domain/message/quick-reply.ts'
import { fillName } from '#domain/message/placeholder.ts'
import { toast } from '#ui/feedback/toast.ts'
import { thisMoment } from '../voice/use-voice.ts'
import type { Draft } from './use-draft.ts'
import type { ChosenFile } from './use-reply-file.ts'

/** A second press within this time is an accidental double press and sends nothing. */
const SAME_PRESS_MS = 600

type UseOutgoing = {
  lead: Lead
  messages: readonly Message[]
  draft: Draft
  chosen: ChosenFile
  answered: Message | null
  onAnswered: (message: null) => void
}

export function useOutgoing({ lead, messages, draft, chosen, answered, onAnswered }: UseOutgoing) {
  const sentAtMs = useRef(-Infinity)
  const { list } = useAttachments(lead.id)
  useEffect(() => {
    const known = new Set(messages.map(({ operationId }) => operationId))
    void restoreDraftAttachments(lead.id).then(() => settleDraftAttachments(lead.id, known))
  }, [lead.id, messages])

  const hasFiles = list.some(({ ratio, isWanted }) => ratio === null && !isWanted)
  const words = fillName(draft.text.trim(), lead.name)
  const { file } = chosen
  const canSend = hasFiles || words !== '' || file !== null
  const isShort = words.length <= MAX_CAPTION
  const isCaption = captionTaker(list) !== undefined && isShort
  const isReplyCaption = file !== null && file.kind !== 'audio' && isShort
  const quotedMessageId = answered?.id ?? null

  const sendFiles = (caption: string) => {
    // Only new attachments take the reply's quote; a retried attachment keeps the quote of its first try.
    if (attachmentsOf(lead.id).list.some(isFresh)) onAnswered(null)
    return sendDraftAttachments(lead, { caption, quotedMessageId }).isKept
  }
  const sendWords = () => {
    const isKept = sendText(lead, { text: words, quotedMessageId })
    leave(isKept, () => draft.write(words))
    draft.leave(isKept)
  }
  /** The outbox stores only the quick reply's id, because the portal already has the file. */
  const sendReplyFile = (reply: ReplyFile) => {
    const text = isReplyCaption ? words : ''
    const isKept = sendText(lead, { text, quotedMessageId, file: reply })
    leave(isKept, () => {
      chosen.choose(reply)
      draft.write(words)
    })
    chosen.leave(isKept)
    if (isReplyCaption) draft.leave(isKept)
  }
  const leave = (isKept: Promise<void>, bringBack: () => void) => {
    onAnswered(null)
    isKept.catch(() => {
      bringBack()
      toast('Erro ao enviar a mensagem. O texto continua no campo.', 'error')
    })
  }
  const send = () => {
    if (!canSend) return
    sentAtMs.current = thisMoment()
    if (file) {
      sendReplyFile(file)
      if (isReplyCaption) return list.some(isFresh) && void sendFiles('')
    } else if (isCaption) return draft.leave(sendFiles(words))
    // Failed files keep their captions and wait for a retry; text written later is sent without them.
    if (words === '' || list.some(isFresh)) void sendFiles('')
    if (words !== '') sendWords()
  }
  return {
    isCaption: isCaption || isReplyCaption,
    isEmpty: list.length === 0 && file === null,
    canSend,
    send,
    sendFiles,
    hasJustSent: () => thisMoment() - sentAtMs.current < SAME_PRESS_MS,
  }
}
