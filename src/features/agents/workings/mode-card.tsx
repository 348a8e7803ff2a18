// An agent's mode, one of five: saved at once, with an undo for a few seconds.
import { useMutation } from '@tanstack/react-query'
import { Bot, MoonStar, PowerOff, Sparkles, UserRoundPlus } from 'lucide-react'
import { useId } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { AGENT_MODES, type AgentMode, MODE_LABEL, OFFERED_LIMIT_MICROS } from '#domain/agent/agent.ts'
import { formatMicros } from '#domain/reais.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { ask } from '#ui/feedback/ask.ts'
import { PortalError } from '#domain/errors.ts'
import { toast } from '#ui/feedback/toast.ts'
import { saveSetup } from './data.ts'

const modeChanged = (label: string) => `Modo: ${label}`

const MODE_PURPOSE: Record<AgentMode, string> = {
  off: 'Ninguém responde no lugar do corretor.',
  suggest: 'Escreve um rascunho. O corretor decide se envia.',
  new_people: 'Responde só a quem nunca conversou com a equipe.',
  after_hours: 'Responde das 20h às 8h e aos domingos.',
  answer: 'Responde sempre e passa ao corretor quando precisa.',
}

type ModeChange = { mode: AgentMode; isAskedTwice?: true; monthLimitMicros?: number }
const OFFERED_LIMIT = formatMicros(OFFERED_LIMIT_MICROS)

const HOW_IT_WORKS = 'Como ele atende'

const ICON = {
  off: PowerOff,
  suggest: Sparkles,
  after_hours: MoonStar,
  new_people: UserRoundPlus,
  answer: Bot,
}

export function ModeCard({ agentId, mode }: { agentId: number; mode: AgentMode }) {
  const name = useId()
  const isOnline = useIsOnline()
  const { mutate, isPending, variables } = useMutation(saveSetup(agentId))
  const chosen = isPending && 'mode' in variables ? variables.mode : mode
  const save = (change: ModeChange) =>
    mutate(change, {
      onSuccess: () =>
        toast(modeChanged(MODE_LABEL[change.mode]), 'info', {
          action: { label: 'Desfazer', run: () => mutate({ mode, isAskedTwice: true }) },
        }),
      onError: (error) => {
        if (error instanceof PortalError && error.code === 'agent.failing')
          ask({
            question: 'Deixar responder mesmo assim?',
            consequence: error.message,
            action: {
              label: 'Deixar responder',
              run: () => save({ ...change, isAskedTwice: true }),
              tone: 'danger',
            },
          })
        else if (error instanceof PortalError && error.code === 'agent.no-limit')
          ask({
            question: `Ligar com limite de ${OFFERED_LIMIT} por mês?`,
            consequence: `${error.message} Você muda o valor em “Modelo e gasto”.`,
            action: {
              label: `Ligar com ${OFFERED_LIMIT}`,
              run: () => save({ ...change, monthLimitMicros: OFFERED_LIMIT_MICROS }),
            },
          })
        else
          toast(
            error instanceof PortalError ? error.message : 'Não foi possível mudar como o agente atende.',
            'error',
          )
      },
    })
  return (
    <fieldset className="rounded-lg bg-surface p-3 shadow-card" disabled={!isOnline}>
      <legend className="sr-only">{HOW_IT_WORKS}</legend>
      <h2 aria-hidden className="px-3 pt-2 pb-3 text-16 font-semibold">
        {HOW_IT_WORKS}
      </h2>
      {AGENT_MODES.map((value) => (
        <label
          key={value}
          className="flex min-h-16 cursor-pointer items-start gap-3.5 rounded-md p-3 transition-colors has-checked:bg-primary-soft has-focus-visible:shadow-focus"
        >
          <Icon of={ICON[value]} size={20} className="mt-0.5 shrink-0 text-text-2" />
          <span className="min-w-0 grow">
            <span className="block text-15 font-semibold">{MODE_LABEL[value]}</span>
            <span className="block text-14 text-text-2">{MODE_PURPOSE[value]}</span>
          </span>
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === chosen}
            onChange={() => save({ mode: value })}
            className="mt-0.5 size-5 shrink-0 accent-primary"
          />
        </label>
      ))}
    </fieldset>
  )
}
