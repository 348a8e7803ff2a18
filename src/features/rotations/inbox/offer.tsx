// Tells in a rotation's row how many of the administrator's leads it could take. A button sends them.
import { useMutation } from '@tanstack/react-query'
import { Shuffle } from 'lucide-react'
import { useState } from 'react'
import { newOperationId } from '#data/operation.ts'
import { sendRotationInbox } from './data.ts'
import { formatNumber } from '#domain/count.ts'
import type { Rotation } from '#domain/rotation/editing.ts'
import { ask } from '#ui/feedback/ask.ts'
import { Button } from '#ui/primitives/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { leadCount } from '../texts.ts'

const distributed = (leads: number) =>
  leads === 0 ? 'Nenhum lead a distribuir.' : `${leadCount(leads)} a caminho dos corretores.`

const distribute = (leads: number) =>
  `Distribuir ${leads === 1 ? 'o lead' : `os ${formatNumber(leads)} leads`} da caixa de entrada`

type InboxOfferProps = { rotation: Rotation; leads: number; isOnline: boolean }

export function InboxOffer({ rotation: { id, name }, leads, isOnline }: InboxOfferProps) {
  // The operation id stays until a request succeeds, so that a retry does not send the leads twice.
  const [operationId, setOperationId] = useState(newOperationId)
  const { mutate, isPending } = useMutation({
    ...sendRotationInbox(id),
    onSuccess: (sent) => {
      setOperationId(newOperationId())
      toast(distributed(sent), 'success')
    },
    onError: () => toast('Erro ao distribuir os leads', 'error'),
  })
  const send = () =>
    ask({
      question: `${distribute(leads)} pela roleta "${name}"?`,
      consequence:
        'Vão para os corretores desta roleta na ordem em que chegaram, pelas mesmas regras dos leads novos.',
      action: { label: 'Distribuir', run: () => mutate(operationId), tone: 'primary' },
    })
  return (
    <span className="relative z-1 mt-2 flex">
      <Button
        variant="soft"
        size="small"
        icon={Shuffle}
        disabled={!isOnline}
        busy={isPending && 'Distribuindo...'}
        onClick={send}
      >
        {distribute(leads)}
      </Button>
    </span>
  )
}
