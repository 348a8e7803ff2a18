// The line below material that the server refused, such as 'A tabela mudou. Enviar a nova · Descartar'.
import { useMutation } from '@tanstack/react-query'
import { FileWarning } from 'lucide-react'
import { dayAt } from '#domain/dashboard/period.ts'
import type { Message } from '#domain/message/message.ts'
import { toast } from '#ui/feedback/toast.ts'
import { useNow } from '#ui/now.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { RETRY } from '#ui/texts.ts'
import { dropRefused, sendRenewed } from '../material/data.ts'
import { DISCARD, notDone } from '../ground/texts.ts'
import { repeat } from './message-actions.ts'

const NOTHING_NEW = 'O cadastro não tem mais este material. Escolha outro em Material.'

type RefusalLineProps = {
  contactId: number
  message: Message
  refusal: NonNullable<Message['refusal']>
}

export function RefusalLine({ contactId, message, refusal }: RefusalLineProps) {
  const today = dayAt(useNow())
  const onError = (error: Error) => toast(notDone(error.message), 'error')
  const renew = useMutation({
    mutationFn: () => sendRenewed(message, today),
    onError,
    onSuccess: (isFound) => {
      if (!isFound) toast(NOTHING_NEW, 'error')
    },
  })
  const drop = useMutation({ mutationFn: () => dropRefused(message), onError })
  return (
    <div className="mt-1 ml-auto flex w-fit max-w-full flex-wrap items-center gap-x-4 rounded-md bg-surface px-3.5 text-14 shadow-line">
      <p className="flex min-h-11 min-w-0 items-center gap-2.5 py-1">
        <Icon of={FileWarning} size={18} className="shrink-0 text-warning" />
        {refusal.said}
      </p>
      <span className="ml-auto flex gap-4">
        {refusal.isOutdated ? (
          <Choice isOff={renew.isPending} onPress={() => renew.mutate()} look="text-primary">
            Enviar a nova
          </Choice>
        ) : (
          <Choice isOff={false} onPress={() => repeat(contactId, message)} look="text-primary">
            {RETRY}
          </Choice>
        )}
        <Choice isOff={drop.isPending} onPress={() => drop.mutate()} look="text-text-2">
          {DISCARD}
        </Choice>
      </span>
    </div>
  )
}

type ChoiceProps = { isOff: boolean; onPress: () => void; look: string; children: string }

const Choice = ({ isOff, onPress, look, children }: ChoiceProps) => (
  <button
    type="button"
    disabled={isOff}
    onClick={onPress}
    className={`min-h-11 rounded-md font-semibold ${look}`}
  >
    {children}
  </button>
)
