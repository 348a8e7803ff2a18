// Whether the assistant may answer on the broker's own number outside the hours; only the broker turns it on.
import { mutationOptions, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { laterKeys } from '#data/later-keys.ts'
import { Switch } from '#ui/forms/switch.tsx'
import { toast } from '#ui/feedback/toast.ts'

const LABEL = 'Assistente fora do meu horário'
const HINT =
  'Das 20h às 8h e aos domingos ele responde no seu WhatsApp e passa para você. Quem falou com você nas últimas 24 horas continua só com você.'
const FAILED = 'Não foi possível mudar o assistente.'

const Own = v.object({ isOn: v.boolean(), isAvailable: v.boolean() })

const ownQuery = () =>
  queryOptions({
    queryKey: laterKeys.ownAssistant(),
    queryFn: async ({ signal }) => v.parse(Own, await portal('/api/assist/own', { signal })),
  })

const setOwn = () =>
  mutationOptions({
    mutationFn: (isOn: boolean) => portal('/api/assist/own', { method: 'POST', body: { isOn } }),
    onError: () => toast(FAILED, 'error'),
    onSettled: (_answer, _error, _isOn, _kept, { client }) => client.invalidateQueries(ownQuery()),
  })

/** Nothing where no model writes. */
export function AssistantRow() {
  const isOnline = useIsOnline()
  const { data: own } = useQuery(ownQuery())
  const { mutate, isPending, variables } = useMutation(setOwn())
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
