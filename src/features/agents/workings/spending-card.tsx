// Which model writes, what it costs, and how much the agent may spend in a month.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { formatMicros, readMicros } from '#domain/reais.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { ProgressBar } from '#ui/feedback/progress-bar.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { type AgentSetup, savePrice, saveSetup } from './data.ts'
import { SAVE, SAVE_FAILED } from './texts.ts'

const AMOUNT_INVALID = 'Escreva um valor em reais, como 200 ou 0,15.'

const SAVED = 'Salvo'

const perConversation = (amount: string) => `${amount} por conversa`

const spent = (amount: string) => `${amount} neste mês`

const WARN_FROM = 0.8

export function SpendingCard({ agentId, setup }: { agentId: number; setup: AgentSetup }) {
  const { model, isDemoModel, monthLimitMicros: limit, spentMicros, conversations } = setup
  const ratio = limit === null ? 0 : limit === 0 ? 1 : Math.min(1, spentMicros / limit)
  const price = setup.prices.find((known) => known.model === model)
  return (
    <section className="flex flex-col gap-4 rounded-lg bg-surface p-5 shadow-card">
      <h2 className="text-16 font-semibold">Modelo e gasto</h2>
      <div>
        <p className="text-14 font-medium">Modelo</p>
        {model === null ? (
          <>
            <p className="pt-1 text-15">Sem motor: ninguém responde aqui ainda.</p>
            <p className="pt-1 text-13 text-text-3">
              Quem instala o portal liga um modelo com AGENT_API_URL e AGENT_MODEL.
            </p>
          </>
        ) : isDemoModel ? (
          <Badge tone="info" className="mt-1">
            Modelo de demonstração: responde por regras
          </Badge>
        ) : (
          <p className="pt-1 text-15 wrap-anywhere">{model}</p>
        )}
      </div>
      {model !== null && !isDemoModel && (
        <PriceForm
          key={`${price?.inputMicros} ${price?.outputMicros}`}
          model={model}
          input={price?.inputMicros ?? 0}
          output={price?.outputMicros ?? 0}
        />
      )}
      <LimitForm key={limit} agentId={agentId} limit={limit} />
      <div>
        <p className="flex flex-wrap justify-between gap-x-4 pb-2 text-14">
          <span className="font-medium">{spent(formatMicros(spentMicros))}</span>
          {conversations > 0 && (
            <span className="text-text-2">
              {perConversation(formatMicros(Math.round(spentMicros / conversations)))}
            </span>
          )}
        </p>
        {limit !== null && <ProgressBar label="Gasto do mês" ratio={ratio} />}
        <output className="block pt-2 text-13 font-medium text-warning empty:hidden">
          {ratio >= 1
            ? 'Parado: limite do mês atingido'
            : ratio >= WARN_FROM && 'Mais de 80% do limite do mês já foi usado.'}
        </output>
      </div>
    </section>
  )
}

const toText = (micros: number) => formatMicros(micros).replace(/^R\$\s*/, '')

function LimitForm({ agentId, limit }: { agentId: number; limit: number | null }) {
  const isOnline = useIsOnline()
  const [text, setText] = useState(limit === null ? '' : toText(limit))
  const [isWrong, setWrong] = useState(false)
  const { mutate, isPending } = useMutation({
    ...saveSetup(agentId),
    onSuccess: () => toast(SAVED, 'success'),
    onError: () => toast(SAVE_FAILED, 'error'),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const micros = text.trim() === '' ? null : readMicros(text)
    const isBad = micros === null && text.trim() !== ''
    setWrong(isBad)
    if (!isBad) mutate({ monthLimitMicros: micros })
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-2">
      <div className="flex items-end gap-2">
        <div className="min-w-0 grow">
          <TextField
            label="Limite por mês (R$)"
            inputMode="decimal"
            value={text}
            onChange={({ target }) => setText(target.value)}
            error={isWrong && AMOUNT_INVALID}
          />
        </div>
        <Button type="submit" variant="line" disabled={!isOnline} busy={isPending && SAVE}>
          {SAVE}
        </Button>
      </div>
      <p className="text-13 text-text-3">
        Avisa em 80%. Em 100% ele para e as conversas ficam com os corretores. Vazio: sem limite.
      </p>
    </form>
  )
}

function PriceForm({ model, input, output }: { model: string; input: number; output: number }) {
  const isOnline = useIsOnline()
  const [texts, setTexts] = useState({ input: toText(input), output: toText(output) })
  const [isWrong, setWrong] = useState(false)
  const { mutate, isPending } = useMutation({
    ...savePrice(),
    onSuccess: () => toast(SAVED, 'success'),
    onError: () => toast(SAVE_FAILED, 'error'),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const [inputMicros, outputMicros] = [readMicros(texts.input), readMicros(texts.output)]
    setWrong(inputMicros === null || outputMicros === null)
    if (inputMicros !== null && outputMicros !== null) mutate({ model, inputMicros, outputMicros })
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-2">
      <TextField
        label="R$ por 1 milhão de tokens lidos"
        inputMode="decimal"
        value={texts.input}
        onChange={({ target }) => setTexts({ ...texts, input: target.value })}
      />
      <TextField
        label="R$ por 1 milhão de tokens escritos"
        inputMode="decimal"
        value={texts.output}
        onChange={({ target }) => setTexts({ ...texts, output: target.value })}
        error={isWrong && AMOUNT_INVALID}
      />
      <span>
        <Button type="submit" variant="line" disabled={!isOnline} busy={isPending && SAVE}>
          {SAVE}
        </Button>
      </span>
    </form>
  )
}
