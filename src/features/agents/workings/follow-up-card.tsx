// Whether an agent writes again to a lead that does not answer it.
import { useMutation } from '@tanstack/react-query'
import { useIsOnline } from '#data/connectivity.ts'
import { PortalError } from '#domain/errors.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Switch } from '#ui/forms/switch.tsx'
import { type AgentSetup, saveSetup } from './data.ts'
import { SAVE_FAILED, SAVED } from './texts.ts'

type FollowUpCardProps = { agentId: number; setup: Pick<AgentSetup, 'mode' | 'followsUp'> }

export function FollowUpCard({ agentId, setup: { mode, followsUp } }: FollowUpCardProps) {
  const isOnline = useIsOnline()
  const { mutate, isPending } = useMutation({
    ...saveSetup(agentId),
    onSuccess: () => toast(SAVED, 'success'),
    onError: (error) => toast(error instanceof PortalError ? error.message : SAVE_FAILED, 'error'),
  })
  const answersAlways = mode === 'answer' || mode === 'new_people'
  return (
    <section
      aria-label="Próximas tentativas"
      className="flex flex-col gap-2 rounded-lg bg-surface p-5 shadow-card"
    >
      <h2 className="text-16 font-semibold">Próximas tentativas</h2>
      <p className="text-13 text-text-3">
        Só com os textos publicados em Captação › Planos de tentativas. Para se o lead responder, se alguém da
        equipe assumir ou se o freio segurar.
        {!answersAlways && ' Vale quando ele responde sozinho a qualquer hora.'}
      </p>
      <div className="-mx-4">
        <Switch
          label="Continua quando o lead não responde"
          hint="Depois de dois dias sem resposta a ele"
          isOn={followsUp}
          isDisabled={!isOnline || isPending}
          onChange={(isOn) => mutate({ followsUp: isOn })}
        />
      </div>
    </section>
  )
}
