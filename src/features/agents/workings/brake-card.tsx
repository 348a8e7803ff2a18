// How often an agent may answer one person before somebody of the team checks the conversation.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { PortalError } from '#domain/errors.ts'
import { Button } from '#ui/primitives/button.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { type AgentSetup, saveSetup } from './data.ts'
import { SAVE, SAVE_FAILED, SAVED } from './texts.ts'

/** The maxima are those of portal.agent_settings; the portal refuses higher values. */
const FIELDS = [
  { name: 'mostInTenMinutes', label: 'Respostas em 10 minutos', most: 60 },
  { name: 'mostADay', label: 'Respostas por dia', most: 500 },
] as const
type Field = (typeof FIELDS)[number]['name']

type BrakeCardProps = { agentId: number; setup: Pick<AgentSetup, Field> }

export function BrakeCard({ agentId, setup: { mostInTenMinutes, mostADay } }: BrakeCardProps) {
  return (
    <section aria-label="Freio" className="flex flex-col gap-3 rounded-lg bg-surface p-5 shadow-card">
      <h2 className="text-16 font-semibold">Freio</h2>
      <p className="text-13 text-text-3">
        À mesma pessoa, sem ninguém da equipe no meio. Depois disso ele chama o corretor. Onde parece resposta
        automática, ele para e avisa.
      </p>
      <BrakeForm key={`${mostInTenMinutes} ${mostADay}`} {...{ agentId, mostInTenMinutes, mostADay }} />
    </section>
  )
}

function BrakeForm({ agentId, ...limits }: { agentId: number } & Record<Field, number>) {
  const isOnline = useIsOnline()
  const [texts, setTexts] = useState({
    mostInTenMinutes: String(limits.mostInTenMinutes),
    mostADay: String(limits.mostADay),
  })
  const [wrong, setWrong] = useState<Field>()
  const { mutate, isPending } = useMutation({
    ...saveSetup(agentId),
    onSuccess: () => toast(SAVED, 'success'),
    onError: (error) => toast(error instanceof PortalError ? error.message : SAVE_FAILED, 'error'),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const bad = FIELDS.find(
      ({ name, most }) => !(/^\d{1,3}$/.test(texts[name].trim()) && isWithin(texts[name], most)),
    )
    setWrong(bad?.name)
    if (!bad) mutate({ mostInTenMinutes: Number(texts.mostInTenMinutes), mostADay: Number(texts.mostADay) })
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-2">
      {FIELDS.map(({ name, label, most }) => (
        <TextField
          key={name}
          label={label}
          inputMode="numeric"
          value={texts[name]}
          onChange={({ target }) => setTexts({ ...texts, [name]: target.value })}
          error={wrong === name && `Escreva um número de 1 a ${most}.`}
        />
      ))}
      <span>
        <Button type="submit" variant="line" disabled={!isOnline} busy={isPending && SAVE}>
          {SAVE}
        </Button>
      </span>
    </form>
  )
}

const isWithin = (text: string, most: number) => Number(text) >= 1 && Number(text) <= most
