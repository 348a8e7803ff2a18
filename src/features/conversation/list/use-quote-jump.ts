// Scrolls to the original of a pressed quote, loads older pages as needed, and highlights it for a moment.
import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { type Conversation, olderMessages } from '#data/messages/messages.ts'
import { toast } from '#ui/feedback/toast.ts'

const FLASH_MS = 600

/** `goTo` takes the original's WhatsApp id. While the original is highlighted, it replaces the search result. */
export function useQuoteJump(
  { messages, hasOlder }: Conversation,
  contactId: number,
  foundId: number | null,
) {
  const [wanted, setWanted] = useState<string | null>(null)
  const { mutate, isPending, isError, reset } = useMutation(olderMessages(contactId))
  const quotedId = messages.find(({ whatsappId }) => wanted !== null && whatsappId === wanted)?.id ?? null
  const isReading = wanted !== null && quotedId === null && hasOlder && !isError
  useEffect(() => {
    if (isReading && !isPending) mutate()
  }, [isReading, isPending, mutate])
  useEffect(() => {
    if (wanted === null || isReading) return undefined
    if (quotedId === null)
      toast(isError ? 'Não foi possível buscar a mensagem citada.' : NOT_HERE, isError ? 'error' : 'info')
    const timer = setTimeout(() => setWanted(null), quotedId === null ? 0 : FLASH_MS)
    return () => clearTimeout(timer)
  }, [wanted, isReading, quotedId, isError])
  const goTo = useCallback(
    (whatsappId: string) => {
      reset()
      setWanted(whatsappId)
    },
    [reset],
  )
  return { shownId: quotedId ?? foundId, goTo }
}

const NOT_HERE = 'A mensagem citada não está nesta conversa.'
