// The switch that lets the assistant answer on the broker's own number outside working hours. Only the broker can turn
// it on.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useIsOnline } from '#data/connectivity.ts'
import { Switch } from '#ui/forms/switch.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { ownAssistantQuery, setOwnAssistant } from './assistant-data.ts'

const LABEL = 'Assistente fora do meu horário'
const HINT =
  'Das 20h às 8h e aos domingos ele responde no seu WhatsApp e passa para você. Quem falou com você nas últimas 24 horas continua só com você.'
const FAILED = 'Não foi possível mudar o assistente.'

/** The switch is hidden if the portal has no language model. */
export function AssistantRow() {
  const isOnline = useIsOnline()
  const { data: own } = useQuery(ownAssistantQuery())
  const { mutate, isPending, variables } = useMutation({
    ...setOwnAssistant(),
    onError: () => toast(FAILED, 'error'),
  })
  if (!own?.isAvailable && !own?.isOn) return null
  return (
    <Switch
      label={LABEL}
      hint={HINT}
      isOn={isPending ? variables : own.isOn}
      isDisabled={!isOnline}
      onChange={mutate}
    />
  )
}
