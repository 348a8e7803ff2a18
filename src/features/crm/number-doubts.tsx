// Lists leads with a doubtful number. The portal sends them nothing until an administrator decides.
import { useMutation, useQuery } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { newOperationId } from '#data/operation.ts'
import { displayName } from '#domain/broker.ts'
import { countOf } from '#domain/count.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import { toast } from '#ui/feedback/toast.ts'
import { TextField } from '#ui/forms/field.tsx'
import { Banner } from '#ui/primitives/banner.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { decideNumber, doubtsQuery, type NumberDoubt } from './doubts-data.ts'

const NONE: readonly NumberDoubt[] = []
const inDoubt = (count: number) => `${countOf(count, 'lead', 'leads')} com o número em dúvida`

export function NumberDoubts() {
  const { data: doubts = NONE } = useQuery(doubtsQuery())
  const [isOpen, setOpen] = useState(false)
  if (doubts.length === 0 && !isOpen) return null
  return (
    <div className="px-4 lg:px-8">
      {doubts.length > 0 && (
        <Banner
          tone="warning"
          icon={CircleAlert}
          action={{ label: 'Escolher', run: () => setOpen(true) }}
        >{`${inDoubt(doubts.length)}. Nada é enviado a eles até você escolher.`}</Banner>
      )}
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Qual é o número?"
        subtitle={doubts.length === 0 ? 'Nenhum lead em dúvida' : inDoubt(doubts.length)}
      >
        <ul className="flex flex-col gap-3 px-3 pt-1">
          {doubts.map((doubt) => (
            <Doubt key={doubt.contactId} doubt={doubt} />
          ))}
        </ul>
      </Dialog>
    </div>
  )
}

function Doubt({ doubt: { contactId, name, instanceName, numbers } }: { doubt: NumberDoubt }) {
  const isOnline = useIsOnline()
  const [other, setOther] = useState('')
  const [operationId, setOperationId] = useState(newOperationId)
  const { mutate, isPending, error, reset } = useMutation({
    ...decideNumber(contactId),
    onSuccess: ({ isKnown }) =>
      toast(
        isKnown ? 'Este número já era de um lead: os dois agora são um.' : 'Número escolhido.',
        'success',
      ),
  })
  const choose = (number: string) => {
    if (isOnline && !isPending) mutate({ operationId, number })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (other.trim() !== '') choose(other)
  }
  return (
    <li className="flex flex-col gap-3 rounded-md bg-surface-2 p-4">
      <p className="text-16 font-semibold wrap-anywhere">
        {name ?? 'Sem nome'}
        <span className="block text-13 font-regular text-text-2">
          {instanceName === null ? 'Sem corretor' : displayName(instanceName)}
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        {numbers.map((number) => (
          <Button
            key={number}
            variant="line"
            disabled={!isOnline || isPending}
            onClick={() => choose(number)}
          >
            {formatPhone(number)}
          </Button>
        ))}
      </div>
      <form noValidate onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-[1_1_12rem]">
          <TextField
            label="Outro número"
            type="tel"
            inputMode="tel"
            autoComplete="off"
            maxLength={60}
            value={other}
            error={error?.message}
            onChange={({ target }) => {
              reset()
              setOperationId(newOperationId())
              setOther(target.value)
            }}
          />
        </div>
        <Button type="submit" variant="soft" disabled={!isOnline || isPending}>
          Usar
        </Button>
      </form>
    </li>
  )
}
