// The dialog's content while there is no code: the gateway is making one, the last one expired, the request failed, or
// the phone is connected.
import { CircleCheck, CloudOff } from 'lucide-react'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { Spinner } from '#ui/feedback/spinner.tsx'
import { OFFLINE, RETRY } from '#ui/texts.ts'
import { type Connection, type Cure, cureOf } from './connection-steps.ts'
import type { Beginning } from './use-connection.ts'

type WaitingProps = {
  connection: Connection
  nowMs: number
  isOnline: boolean
  /** False during a move: the cures are for the link of before, which still works. */
  hasCures: boolean
  onBegin: (how: Beginning) => void
}

export function Waiting({ connection, nowMs, isOnline, hasCures, onBegin }: WaitingProps) {
  const { number } = connection
  const cure = hasCures ? cureOf(connection, nowMs) : null
  const { words, action } = wordsOf(connection, cure)
  const isOver = connection.step === 'connected'
  return (
    <div className="flex flex-col gap-2">
      <output className="flex min-h-60 flex-col items-center justify-center gap-4 text-center text-17 font-semibold">
        {isOver ? (
          <Icon of={CircleCheck} size={24} className="text-success" />
        ) : isOnline ? (
          action === null && <Spinner size="large" />
        ) : (
          <Icon of={CloudOff} size={24} className="text-text-3" />
        )}
        {isOnline || isOver ? words : OFFLINE}
      </output>
      {action && isOnline && (
        <Button variant="soft" onClick={() => onBegin({ number, cure })}>
          {action}
        </Button>
      )}
    </div>
  )
}

const CURES = {
  none: { words: 'Gerando QR Code...', action: null },
  restart: { words: 'O WhatsApp está demorando para dar um código.', action: 'Reiniciar conexão' },
  recreate: {
    words: 'O WhatsApp ainda não deu um código. Recrie a conexão para começar do zero.',
    action: 'Recriar conexão',
  },
}

function wordsOf(connection: Connection, cure: Cure | null): { words: string; action: string | null } {
  switch (connection.step) {
    case 'connected':
      return { words: 'Conectado!', action: null }
    case 'expired':
      return { words: 'O código expirou.', action: 'Gerar novo código' }
    case 'disconnected':
      return { words: 'Desconectado', action: RETRY }
    default:
      return CURES[cure ?? 'none']
  }
}
