// Removes a broker: lists what is deleted, and asks who gets the leads.
import { formatPhone } from '#domain/phone/phone.ts'
import { countOf, formatNumber } from '#domain/count.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { removeBroker } from '#data/brokers.ts'
import { newOperationId } from '#data/operation.ts'
import { type Broker, displayName } from '#domain/broker.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { cardName } from './texts.ts'

/** Lists what a removal deletes. */
function lossesOf({ number, campaignCount, seatCount }: Broker): string[] {
  return [
    'O acesso ao portal, em todos os aparelhos, agora.',
    number === null ? 'A conexão do WhatsApp.' : `A conexão do WhatsApp ${formatPhone(number)}.`,
    ...(campaignCount > 0
      ? [`${countOf(campaignCount, 'campanha', 'campanhas')}; a que estiver em andamento para.`]
      : []),
    ...(seatCount > 0 ? [`${countOf(seatCount, 'lugar em roleta', 'lugares em roletas')}.`] : []),
  ]
}

/** For example 'Os 312 leads'; 'Os leads' while they are being counted. */
const leadsOf = (total: number | undefined) =>
  total === undefined ? 'Os leads' : `Os leads (${formatNumber(total)})`

const removeQuestion = (name: string) => `Remover ${name}?`

type RemoveBrokerProps = {
  /** The broker to remove; null while the dialog is closed. */
  broker: Broker | null
  total: number | undefined
  brokers: readonly Broker[]
  /** Called with the removed broker, because the dialog may show another one by then. */
  onClose: (broker: Broker) => void
}

export function RemoveBrokerDialog({ broker, ...form }: RemoveBrokerProps) {
  // The closing animation still shows this broker, so that the text does not vanish at once.
  const [last, setLast] = useState(broker)
  if (broker && broker !== last) setLast(broker)
  if (!last) return null
  return (
    <Dialog
      isOpen={broker !== null}
      onClose={() => form.onClose(last)}
      title={removeQuestion(cardName(last))}
    >
      <RemoveForm {...form} broker={last} />
    </Dialog>
  )
}

function RemoveForm({ broker, total, brokers, onClose }: RemoveBrokerProps & { broker: Broker }) {
  const [operationId] = useState(newOperationId)
  const [isHanded, setHanded] = useState(false)
  const [heir, setHeir] = useState('')
  // Callbacks of the hook run even if the form was closed meanwhile; those given to `mutate` would not.
  const { mutate, isPending } = useMutation({
    ...removeBroker(),
    onSuccess: () => {
      onClose(broker)
      toast('Corretor removido com sucesso!', 'success')
    },
    onError: (error) => toast(`Erro ao remover corretor: ${error.message}`, 'error'),
  })
  const others = brokers.filter(({ id }) => id !== broker.id)
  const hasLeads = total !== 0
  const remove = () =>
    mutate({ instanceName: broker.instanceName, operationId, heir: isHanded ? heir : null })
  return (
    <div className="flex flex-col gap-4 px-3 pt-1">
      <div className="leading-body text-text-2">
        <p>Será perdido para sempre:</p>
        <ul className="list-disc pl-5">
          {lossesOf(broker).map((loss) => (
            <li key={loss}>{loss}</li>
          ))}
        </ul>
      </div>
      {hasLeads && (
        <fieldset disabled={isPending} className="flex min-w-0 flex-col">
          <legend className="pb-1 text-14 font-semibold">{leadsOf(total)}</legend>
          <Choice label="Ficam com o administrador" isChosen={!isHanded} onChoose={() => setHanded(false)} />
          {others.length > 0 && (
            <Choice label="Passam para outro corretor" isChosen={isHanded} onChoose={() => setHanded(true)} />
          )}
          {isHanded && (
            <select
              value={heir}
              aria-label="Corretor que recebe os leads"
              onChange={(event) => setHeir(event.target.value)}
              className="mt-1 min-h-12 w-full min-w-0 truncate rounded-md bg-surface px-4 text-16 shadow-input lg:text-15"
            >
              <option value="">Escolha o corretor</option>
              {others.map(({ instanceName }) => (
                <option key={instanceName} value={instanceName}>
                  {displayName(instanceName)}
                </option>
              ))}
            </select>
          )}
          <p className="pt-2 text-13 text-text-3">As conversas e notas ficam com eles.</p>
        </fieldset>
      )}
      <FormActions onCancel={() => onClose(broker)}>
        <Button
          variant="danger"
          disabled={isHanded && heir === ''}
          busy={isPending && 'Removendo...'}
          onClick={remove}
        >
          Remover corretor
        </Button>
      </FormActions>
    </div>
  )
}

type ChoiceProps = { label: string; isChosen: boolean; onChoose: () => void }

function Choice({ label, isChosen, onChoose }: ChoiceProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 text-15">
      <input
        type="radio"
        name="leads"
        checked={isChosen}
        onChange={onChoose}
        className="size-5 accent-primary"
      />
      {label}
    </label>
  )
}
