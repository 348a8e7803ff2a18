// The selected brokers as chips, each removable; red with a retry if its board failed to load.
import { RefreshCw, X } from 'lucide-react'
import type { BoardState } from '#data/crm.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { NO_BROKER } from '#domain/broker.ts'
import { classNames } from '#ui/primitives/class-names.ts'
import { Spinner } from '#ui/feedback/spinner.tsx'
import { brokerName } from './texts.ts'

/** Up to this many chips wrap; more scroll in one line, so that the board keeps its height. */
const WRAPPED = 8

type SelectedBrokerChipsProps = {
  states: readonly BoardState[]
  onRemove: (instanceName: string) => void
  onClear: () => void
}

export function SelectedBrokerChips({ states, onRemove, onClear }: SelectedBrokerChipsProps) {
  return (
    <div
      className={classNames(
        '-my-1 flex items-center gap-2 overflow-x-auto py-1',
        states.length <= WRAPPED && 'md:flex-wrap',
      )}
    >
      <ul aria-label="Corretores selecionados" className="contents">
        {states.map((state) => (
          <li key={state.instanceName} className="flex min-w-0 shrink-0">
            <Chip {...state} onRemove={() => onRemove(state.instanceName)} />
          </li>
        ))}
      </ul>
      <span className="sticky right-0 flex bg-bg">
        <Button variant="quiet" onClick={onClear}>
          Limpar
        </Button>
      </span>
    </div>
  )
}

function Chip({ instanceName, total, pull, onRemove }: BoardState & { onRemove: () => void }) {
  const name = brokerName(instanceName)
  const isError = pull.error !== null
  return (
    <span
      className={classNames(
        'flex min-h-10 min-w-0 items-center gap-2 rounded-full pl-2.5 text-14 font-medium',
        isError ? 'bg-danger-soft text-on-danger-soft' : 'bg-surface shadow-line',
      )}
    >
      {total === undefined && !isError ? (
        <Spinner />
      ) : (
        <Avatar name={instanceName === NO_BROKER ? null : name} size={20} />
      )}
      <span className="truncate">{name}</span>
      <span className="flex">
        {isError && (
          <IconButton
            icon={RefreshCw}
            label={`Não foi possível atualizar ${name}. Tentar de novo`}
            variant="quietSmall"
            onClick={() => void pull.refetch()}
          />
        )}
        <IconButton icon={X} label={`Remover ${name}`} variant="quietSmall" onClick={onRemove} />
      </span>
    </span>
  )
}
