// Banners about a broker's WhatsApp link: disconnected, dead, not answering, or linked to another phone, or limited by
// WhatsApp, or moving to another gateway.
import { formatPhone } from '#domain/phone/phone.ts'
import { useMutation } from '@tanstack/react-query'
import { ArrowRightLeft, Hourglass, Smartphone, Unplug } from 'lucide-react'
import { useIsOnline } from '#data/connectivity.ts'
import { acknowledgeReplacement } from '#data/link.ts'
import { limitWords } from '#domain/link-limit.ts'
import type { Link } from '#domain/link.ts'
import { Banner } from '#ui/primitives/banner.tsx'
import { CONNECTING, UNCONFIGURED } from './texts.ts'

const replaced = (number: string) =>
  `Outro WhatsApp foi conectado no lugar de ${formatPhone(number)}. As conversas de antes continuam aqui.`

type LinkBannersProps = {
  instanceName: string
  link: Link
  isConnecting: boolean
  onConnect: () => void
}

export function LinkBanners({ instanceName, link, isConnecting, onConnect }: LinkBannersProps) {
  const isOnline = useIsOnline()
  const acknowledge = useMutation(acknowledgeReplacement(instanceName))
  const { state, isMoving, replacedNumber, limit } = link
  const connect = { label: isConnecting ? CONNECTING : 'Conectar', run: onConnect }
  return (
    <div className="flex flex-col gap-2 px-4 pt-2 empty:hidden lg:px-8">
      {state === 'unconfigured' && (
        <Banner tone="warning" icon={Unplug}>
          {UNCONFIGURED}
        </Banner>
      )}
      {state === 'unreachable' && (
        <Banner tone="warning" icon={Unplug}>
          O WhatsApp não responde agora. As mensagens chegam quando ele voltar.
        </Banner>
      )}
      {/* Hidden offline, because connecting needs a network and another strip already tells that there is none. */}
      {isMoving && isOnline && (
        <Banner
          tone="warning"
          icon={ArrowRightLeft}
          action={{ ...connect, label: isConnecting ? CONNECTING : 'Ver código' }}
        >
          Sua conexão com o WhatsApp está mudando de serviço. Leia o novo código com o seu celular para
          terminar.
        </Banner>
      )}
      {!isMoving && (state === 'close' || state === 'connecting' || state === 'dead') && isOnline && (
        <Banner tone="warning" icon={Unplug} action={connect}>
          {state === 'dead'
            ? 'O WhatsApp parou de responder. Conecte de novo.'
            : 'WhatsApp desconectado. Reconecte para enviar mensagens.'}
        </Banner>
      )}
      {limit && (
        <Banner tone="warning" icon={Hourglass}>
          {limitWords(limit)}
        </Banner>
      )}
      {replacedNumber !== null && !acknowledge.isPending && (
        <Banner
          tone="warning"
          icon={Smartphone}
          action={{ label: 'Entendi', run: () => acknowledge.mutate() }}
        >
          {replaced(replacedNumber)}
        </Banner>
      )}
    </div>
  )
}
