// Moves a broker's connection to another gateway by a code to scan. The old connection works until the new one is open.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { keys } from '#data/keys.ts'
import { displayName } from '#domain/broker.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { endMove, type Gateways, moveQuery, type MoveStep } from './data.ts'
import { kindOf } from './gateway-kinds.ts'

type GatewayMovesProps = { instances: Gateways['instances']; kinds: readonly string[] }
type Move = { instanceName: string; kind: string }

export function GatewayMoves({ instances, kinds }: GatewayMovesProps) {
  const [move, setMove] = useState<Move | null>(null)
  return (
    <div className="flex flex-col gap-2">
      <h3 className="text-15 font-semibold">Mudar uma conexão de serviço</h3>
      <p className="text-14 text-text-2">
        Leads, conversas e mensagens na fila ficam. A conexão de agora continua até a nova abrir.
      </p>
      <ul className="flex flex-col divide-y divide-border">
        {instances.map(({ instanceName, kind, target }) => (
          <li key={instanceName} className="flex flex-wrap items-center gap-2 py-2">
            <span className="min-w-0 grow text-15">
              {displayName(instanceName)}
              <span className="text-14 text-text-3"> · {kindOf(kind).title}</span>
            </span>
            {kinds
              .filter((other) => other !== kind)
              .map((other) => {
                const words = target === other ? 'Continuar a mudança' : `Mudar para ${kindOf(other).title}`
                return (
                  <Button
                    key={other}
                    variant="soft"
                    size="small"
                    aria-label={`${words}: ${displayName(instanceName)}`}
                    onClick={() => setMove({ instanceName, kind: other })}
                  >
                    {words}
                  </Button>
                )
              })}
          </li>
        ))}
      </ul>
      {move && <MoveDialog move={move} onClose={() => setMove(null)} />}
    </div>
  )
}

const WORDS: Readonly<Record<Exclude<MoveStep['kind'], 'code' | 'moved'>, string>> = {
  waiting: 'Esperando o código...',
  open: 'Abrindo a conexão...',
  'other-phone': 'O código foi lido por outro número. Use o celular deste corretor.',
}

function MoveDialog({ move: { instanceName, kind }, onClose }: { move: Move; onClose: () => void }) {
  const client = useQueryClient()
  const { data: step, error } = useQuery(moveQuery(instanceName, kind))
  const name = displayName(instanceName)
  const end = useMutation({
    ...endMove(),
    onError: (failed) => toast(failed.message, 'error'),
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: keys.gateway() }),
  })
  const isMoved = step?.kind === 'moved'
  useEffect(() => {
    if (isMoved) void client.invalidateQueries({ queryKey: keys.gateway(), exact: true })
  }, [client, isMoved])
  return (
    <Dialog isOpen onClose={onClose} title={`Mudar ${name} para ${kindOf(kind).title}`}>
      <div className="flex flex-col items-center gap-4 text-center" aria-live="polite">
        {step?.kind === 'code' && (
          <>
            {/* Scanners need a white margin, in the dark theme too. */}
            <img
              src={step.image}
              alt="QR Code para conectar o WhatsApp"
              width={332}
              height={332}
              className="max-w-full rounded-dialog bg-brand-light p-4"
            />
            <p className="text-14 text-text-2">
              No celular de {name}: WhatsApp › Aparelhos conectados › Conectar aparelho.
            </p>
          </>
        )}
        {isMoved && (
          <p>Pronto. As mensagens de {name} já usam o novo serviço; a conexão anterior é encerrada.</p>
        )}
        {step && step.kind !== 'code' && step.kind !== 'moved' && <p>{WORDS[step.kind]}</p>}
        {!step && !error && <p>{WORDS.waiting}</p>}
        {error && (
          <p role="alert" className="text-14 text-danger">
            {error.message}
          </p>
        )}
        {isMoved ? (
          <Button onClick={onClose}>Fechar</Button>
        ) : (
          <Button
            variant="ghost"
            busy={end.isPending && 'Desistindo...'}
            onClick={() => end.mutate(instanceName)}
          >
            Desistir da mudança
          </Button>
        )}
      </div>
    </Dialog>
  )
}
