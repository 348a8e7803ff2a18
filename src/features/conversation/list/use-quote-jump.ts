// A press on a quote, or on a message that a search found, scrolls to that message, loading pages as needed, and
// highlights it for a moment.
import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { type Conversation, olderMessages } from '#data/messages/messages.ts'
import { takeWanted, watchWanted } from '#data/messages/wanted-message.ts'
import { toast } from '#ui/feedback/toast.ts'

const FLASH_MS = 600

/**
 * `goTo` takes the message's WhatsApp id; while it is shown, it replaces the search result. A search over all
 * conversations names a message by its own id, a number.
 */
export function useQuoteJump(
  { messages, hasOlder }: Conversation,
  contactId: number,
  foundId: number | null,
) {
  const [wanted, setWanted] = useState<string | number | null>(null)
  const { mutate, isPending, isError, reset } = useMutation(olderMessages(contactId))
  const quotedId =
    messages.find(({ id, whatsappId }) => wanted !== null && (whatsappId === wanted || id === wanted))?.id ??
    null
  const isReading = wanted !== null && quotedId === null && hasOlder && !isError
  useEffect(() => {
    if (isReading && !isPending) mutate()
  }, [isReading, isPending, mutate])
  useEffect(() => {
    if (wanted === null || isReading) return undefined
    if (quotedId === null)
      toast(isError ? 'Não foi possível buscar a mensagem.' : NOT_HERE, isError ? 'error' : 'info')
    const timer = setTimeout(() => setWanted(null), quotedId === null ? 0 : FLASH_MS)
    return () => clearTimeout(timer)
  }, [wanted, isReading, quotedId, isError])
  useEffect(() => {
    const take = () => {
      const id = takeWanted(contactId)
      if (id === null) return
      reset()
      setWanted(id)
    }
    take()
    return watchWanted(take)
  }, [contactId, reset])
  const goTo = useCallback(
    (whatsappId: string) => {
      reset()
      setWanted(whatsappId)
    },
    [reset],
  )
  return { shownId: quotedId ?? foundId, goTo }
}

const NOT_HERE = 'A mensagem não está nesta conversa.'
