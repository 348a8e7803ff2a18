// The dialog with the bolsão: leads that nobody accepted in time, which the broker may take.
import type { Pooled } from './data.ts'
import { formatRelative } from '#domain/format.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { useDeviceNow } from '#ui/now.ts'
import { nameOf, OFFLINE } from './texts.ts'
import type { Answering } from './use-answer.ts'

const CLAIM = 'Pegar'

const claimLabel = (name: string) => `${CLAIM} ${name}`

type PoolDialogProps = {
  isOpen: boolean
  onClose: () => void
  pool: readonly Pooled[]
  isOnline: boolean
  answering: Answering
}

export function PoolDialog({ isOpen, onClose, pool, isOnline, answering }: PoolDialogProps) {
  const nowMs = useDeviceNow()
  const { answer, busy } = answering
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Bolsão">
      <div className="flex flex-col px-3">
        <p className="pb-2 text-14 leading-body text-text-2">
          {pool.length === 0
            ? 'O bolsão está vazio.'
            : isOnline
              ? 'Ninguém aceitou estes leads a tempo: o primeiro que pegar fica com ele.'
              : OFFLINE}
        </p>
        <ul className="flex flex-col">
          {pool.map(({ id, firstName, development, sinceMs }) => (
            <li key={id} className="flex items-center gap-3 border-b border-border py-2 last:border-b-0">
              <span className="min-w-0 grow">
                <span className="block font-medium wrap-anywhere">{nameOf(firstName)}</span>
                <span className="block text-13 text-text-3 wrap-anywhere">
                  {[...(development === null ? [] : [development]), formatRelative(sinceMs, nowMs)].join(
                    ' · ',
                  )}
                </span>
              </span>
              <Button
                variant="soft"
                size="small"
                aria-label={claimLabel(nameOf(firstName))}
                disabled={!isOnline || (busy !== null && busy.id !== id)}
                busy={busy?.id === id && 'Pegando...'}
                onClick={() => answer(id, 'claim')}
              >
                {CLAIM}
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}
