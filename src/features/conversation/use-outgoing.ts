// What a press on 'Enviar' sends: the words, the files with the words as their caption, or both one after the other. INTERACTIONS 8; PRODUCT.md 4.4.
import { useEffect, useRef } from 'react'
import { sendAttached, settleAttached, useAttachments } from '#data/attachments.ts'
import { sendText } from '#data/sending.ts'
import type { Lead } from '#domain/lead.ts'
import type { AttachmentKind } from '#domain/media.ts'
import type { Message } from '#domain/message.ts'
import { MOST_CAPTION } from '#domain/outgoing.ts'
import { toast } from '#ui/toast.ts'
import { SEND_FAILED } from './texts.ts'
import { thisMoment } from './voice/use-voice.ts'

/** So soon after a send a press on the same place was meant for that. */
const SAME_PRESS_MS = 600

type UseOutgoing = {
  lead: Lead
  messages: readonly Message[]
  text: string
  onText: (text: string) => void
  answered: Message | null
  onAnswered: (message: null) => void
}

export function useOutgoing({ lead, messages, text, onText, answered, onAnswered }: UseOutgoing) {
  const sentAtMs = useRef(-Infinity)
  const { list } = useAttachments(lead.id)
  useEffect(() => {
    settleAttached(lead.id, new Set(messages.map(({ operationId }) => operationId)))
  }, [lead.id, messages])

  const hasFiles = list.some(({ ratio }) => ratio === null)
  const words = text.trim()
  const canSend = hasFiles || words !== ''
  const quotedMessageId = answered?.id ?? null

  const sendFiles = (caption: string) => {
    onAnswered(null)
    void sendAttached(lead, { caption, quotedMessageId })
  }
  const sendWords = () => {
    onText('')
    onAnswered(null)
    sendText(lead, { text: words, quotedMessageId }).catch(() => {
      onText(words)
      toast(SEND_FAILED)
    })
  }
  const send = () => {
    if (!canSend) return
    sentAtMs.current = thisMoment()
    const isCaption =
      hasFiles && words.length <= MOST_CAPTION && list.some(({ file }) => takesCaption(file.kind))
    if (hasFiles) sendFiles(isCaption ? words : '')
    if (isCaption) onText('')
    else if (words !== '') sendWords()
  }
  return {
    hasFiles,
    isEmpty: list.length === 0,
    canSend,
    send,
    sendFiles,
    hasJustSent: () => thisMoment() - sentAtMs.current < SAME_PRESS_MS,
  }
}

/** Sound has none: words go as a message of their own then. */
function takesCaption(kind: AttachmentKind): boolean {
  return kind === 'image' || kind === 'video' || kind === 'document'
}
