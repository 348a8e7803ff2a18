// Shows the WhatsApp gateway after the setup. Its address and key can be changed, unless the server's settings define
// them.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keys } from '#data/keys.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { gatewayQuery } from './data.ts'
import { GatewayForm } from './gateway-form.tsx'

export function GatewaySettings() {
  const client = useQueryClient()
  const read = useQuery(gatewayQuery())
  // A new number mounts the form again after saving, so that the key is no longer in it.
  const [saved, setSaved] = useState(0)
  if (!read.data) return read.error ? <FailedRead of={read} /> : <Skeleton className="h-28 rounded-lg!" />
  const { source, url } = read.data
  if (source === 'environment' || source === 'demo')
    return (
      <p className="text-14 text-text-2">
        {source === 'demo'
          ? 'Na demonstração o WhatsApp é simulado e não se troca.'
          : 'Vem das configurações do servidor e se troca lá.'}
      </p>
    )
  const onSaved = () => {
    toast('Serviço de WhatsApp ligado', 'success')
    setSaved((times) => times + 1)
    void client.invalidateQueries({ queryKey: keys.gateway() })
  }
  return <GatewayForm key={`${url ?? ''} ${saved}`} url={url} onSaved={onSaved} />
}
