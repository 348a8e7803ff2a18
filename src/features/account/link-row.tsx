// The account sheet's row for the WhatsApp link: its state and number, disconnecting and connecting.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { disconnect } from '#data/link.ts'
import type { Link } from '#domain/link.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import { Button } from '#ui/primitives/button.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import { Confirm } from '#ui/feedback/confirm.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { linkWords } from './texts.ts'

export type LinkHandle = { instanceName: string; link: Link; onConnect: () => void }

type LinkRowProps = {
  handle: LinkHandle
  /** Closes the account sheet, because connecting opens a dialog of its own. */
  onLeave: () => void
}

export function LinkRow({ handle: { instanceName, link, onConnect }, onLeave }: LinkRowProps) {
  const [isAsking, setAsking] = useState(false)
  const isOnline = useIsOnline()
  // The hook's callback shows a failure even if the sheet was closed meanwhile; one of the `mutate` call would not.
  const cut = useMutation({
    ...disconnect(instanceName),
    onError: (error) => toast(`Erro ao desconectar: ${error.message}`, 'error'),
  })
  const isOpen = link.state === 'open'
  const connect = () => {
    onLeave()
    onConnect()
  }
  return (
    <div className="mx-3 mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg bg-surface-2 py-2 pr-2 pl-4">
      <div className="min-w-0 grow">
        <p className="flex items-center gap-2 text-15 font-semibold">
          <span
            aria-hidden
            className={classNames(
              'size-2 shrink-0 rounded-full',
              isOpen && isOnline ? 'bg-online' : 'bg-border-strong',
            )}
          />
          WhatsApp: {linkWords(link.state)}
        </p>
        {link.number !== null && (
          <p className="mt-0.5 text-13 text-text-2 tabular-nums">{formatPhone(link.number)}</p>
        )}
      </div>
      {isOpen ? (
        <Button
          variant="line"
          disabled={!isOnline}
          busy={cut.isPending && 'Desconectando...'}
          onClick={() => setAsking(true)}
        >
          Desconectar
        </Button>
      ) : (
        link.state !== 'unconfigured' && (
          <Button variant="soft" disabled={!isOnline} onClick={connect}>
            Conectar
          </Button>
        )
      )}
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        question="Desconectar o WhatsApp?"
        consequence="Mensagens novas deixam de chegar aqui até você conectar de novo. As conversas continuam guardadas."
        action={{ label: 'Desconectar', run: () => cut.mutate() }}
      />
    </div>
  )
}
