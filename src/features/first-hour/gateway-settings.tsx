// The WhatsApp gateways after the setup: their addresses, which one makes new connections, and moving a connection.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keys } from '#data/keys.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { SelectField } from '#ui/forms/select-field.tsx'
import { chooseGateway, gatewayQuery, type Gateways } from './data.ts'
import { GatewayForm } from './gateway-form.tsx'
import { kindOf } from './gateway-kinds.ts'
import { GatewayMoves } from './gateway-moves.tsx'

export function GatewaySettings() {
  const client = useQueryClient()
  const read = useQuery(gatewayQuery())
  // A new number mounts the form again after saving, so that the key is no longer in it.
  const [saved, setSaved] = useState(0)
  if (!read.data) return read.error ? <FailedRead of={read} /> : <Skeleton className="h-28 rounded-lg!" />
  const { gateways, newKind } = read.data
  const onSaved = () => {
    toast('Serviço de WhatsApp ligado', 'success')
    setSaved((times) => times + 1)
    void client.invalidateQueries({ queryKey: keys.gateway() })
  }
  const open = gateways.filter(({ source }) => source !== 'none').map(({ kind }) => kind)
  return (
    <div className="flex flex-col gap-5">
      {gateways.map(({ kind, source, url, health }) => (
        <section key={kind} aria-label={kindOf(kind).title} className="flex flex-col gap-2">
          <h3 className="text-15 font-semibold">{kindOf(kind).title}</h3>
          {health !== null && <p className="text-14 text-text-2">{HEALTH[health] ?? 'Recusa o portal.'}</p>}
          {WHERE[source] !== undefined ? (
            <p className="text-14 text-text-2">{WHERE[source]}</p>
          ) : (
            <GatewayForm key={`${url ?? ''} ${saved}`} kind={kind} url={url} onSaved={onSaved} />
          )}
        </section>
      ))}
      {open.length > 1 && newKind !== null && (
        <>
          <NewKind kinds={open} newKind={newKind} />
          <GatewayMoves instances={read.data.instances} kinds={open} />
        </>
      )}
    </div>
  )
}

/** Why an address cannot be changed here. */
const WHERE: Readonly<Record<string, string>> = {
  environment: 'Vem das configurações do servidor e se troca lá.',
  demo: 'Nesta demonstração ele é simulado: o endereço não se troca.',
}

const HEALTH: Readonly<Record<string, string>> = {
  ok: 'Responde.',
  unknown: 'Ainda não respondeu.',
  unreachable: 'Não responde.',
}

function NewKind({
  kinds,
  newKind,
}: {
  kinds: readonly string[]
  newKind: NonNullable<Gateways['newKind']>
}) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    ...chooseGateway(),
    onError: (error) => toast(error.message, 'error'),
    onSettled: () => client.invalidateQueries({ queryKey: keys.gateway() }),
  })
  return (
    <SelectField
      label="Novas conexões usam"
      value={newKind}
      disabled={isPending}
      onChange={({ target }) => mutate(target.value)}
    >
      {kinds.map((kind) => (
        <option key={kind} value={kind}>
          {kindOf(kind).title}
        </option>
      ))}
    </SelectField>
  )
}
