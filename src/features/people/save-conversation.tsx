// Saves one lead's conversation as a PDF, for administrators.
import { useMutation } from '@tanstack/react-query'
import { FileDown } from 'lucide-react'
import { useIsOnline } from '#data/connectivity.ts'
import { type ConversationOf, conversationFileName } from '#domain/person-data.ts'
import { Button } from '#ui/primitives/button.tsx'
import { download } from '#ui/download.ts'
import { toast } from '#ui/feedback/toast.ts'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { saveConversation } from './data.ts'

export const SAVE_CONVERSATION = 'Baixar conversa (PDF)'

/** A long conversation takes up to a minute, so a toast says that it began. */
export function useSaveConversation() {
  const { mutate, isPending } = useMutation({
    ...saveConversation(),
    onSuccess: (file, lead) => download(conversationFileName(lead), file, 'application/pdf'),
    onError: ({ message }) => toast(`Erro ao baixar: ${message}`, 'error'),
  })
  return {
    isPending,
    save: (lead: ConversationOf) => {
      toast('Preparando o PDF da conversa…', 'info')
      mutate(lead)
    },
  }
}

export function SaveConversation({ lead }: { lead: ConversationOf }) {
  const isOnline = useIsOnline()
  const { isPending, save } = useSaveConversation()
  return (
    <Button
      variant="line"
      icon={FileDown}
      disabled={!isOnline}
      title={isOnline ? undefined : ONLINE_ONLY}
      busy={isPending && 'Preparando…'}
      onClick={() => save(lead)}
    >
      {SAVE_CONVERSATION}
    </Button>
  )
}
