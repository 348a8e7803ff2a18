// 'Selecionar Corretor': chooses an active broker who is not in the rotation yet.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { brokersQuery } from '#data/brokers.ts'
import { seatableQuery } from '../data.ts'
import { displayName } from '#domain/broker.ts'
import type { SeatRules } from '#domain/rotation/rotation.ts'
import { foldText } from '#domain/search.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Badge } from '#ui/primitives/badge.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { SearchBox } from '#ui/forms/search-box.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'

const nobodyFound = (text: string) => `Nenhum corretor com "${text}"`

type BrokerPickerProps = {
  isOpen: boolean
  seats: readonly SeatRules[]
  onClose: () => void
  onPick: (instanceName: string) => void
}

export function BrokerPickerDialog({ isOpen, onClose, ...list }: BrokerPickerProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Selecionar Corretor">
      <PickList {...list} />
    </Dialog>
  )
}

function PickList({ seats, onPick }: Pick<BrokerPickerProps, 'seats' | 'onPick'>) {
  const read = useQuery(seatableQuery())
  const { data: seatable } = read
  const { data: brokers } = useQuery(brokersQuery())
  const [text, setText] = useState('')
  if (!seatable)
    return read.error ? (
      <FailedRead of={read} title="Erro ao carregar corretores disponíveis" />
    ) : (
      <Skeleton className="mx-3 h-60 rounded-md!" />
    )
  const seated = new Set(seats.map(({ instanceName }) => instanceName))
  const free = seatable.filter((instanceName) => !seated.has(instanceName))
  const found = free.filter((instanceName) => foldText(displayName(instanceName)).includes(foldText(text)))
  const hint =
    free.length === 0
      ? 'Todos os corretores ativos já estão nesta roleta.'
      : found.length === 0
        ? nobodyFound(text.trim())
        : null
  return (
    <div className="flex min-h-0 flex-col gap-2 px-3">
      <div className="flex">
        <SearchBox label="Buscar corretor por nome..." text={text} onText={setText} />
      </div>
      <output className="px-2.5 py-3 text-14 text-text-2 empty:hidden">{hint}</output>
      <ul className="flex max-h-[50dvh] flex-col gap-0.5 overflow-y-auto">
        {found.map((instanceName) => {
          const broker = brokers?.find((each) => each.instanceName === instanceName)
          const name = displayName(instanceName)
          return (
            <li key={instanceName}>
              <button
                type="button"
                onClick={() => onPick(instanceName)}
                className="flex min-h-13 w-full items-center gap-3 rounded-md px-2.5 text-left transition-colors hover:bg-surface-2"
              >
                <Avatar name={name} pictureUrl={broker?.pictureUrl ?? null} size={36} />
                <span className="min-w-0 grow truncate text-15 font-medium">{name}</span>
                {broker && (
                  <Badge tone={broker.state === 'open' ? 'success' : 'neutral'}>
                    {broker.state === 'open' ? 'Conectado' : 'Desconectado'}
                  </Badge>
                )}
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
