// Gives a conversation back to the assistant, and reports the result.
import { useMutation } from '@tanstack/react-query'
import { useIsOnline } from '#data/connectivity.ts'
import { toast } from '#ui/feedback/toast.ts'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { notDone } from '../ground/texts.ts'
import { giveBack } from './data.ts'

export const GIVE_BACK = 'Devolver ao assistente'

export function useGiveBack(contactId: number) {
  const isOnline = useIsOnline()
  const { mutate, isPending } = useMutation({
    ...giveBack(contactId),
    onSuccess: (isAnsweredNow) =>
      toast(
        isAnsweredNow
          ? 'Devolvido ao assistente.'
          : 'Devolvido. O assistente responde das 20h às 8h e aos domingos.',
        'success',
      ),
    onError: (error) => toast(notDone(error.message), 'error'),
  })
  const give = () => (isOnline ? mutate() : toast(ONLINE_ONLY, 'error'))
  return { give, isPending, isOnline }
}
