// The language model, its price, and the agent's monthly budget.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { PortalError } from '#domain/errors.ts'
import { formatCost, formatMicros, readMicros } from '#domain/reais.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import { ProgressBar } from '#ui/feedback/progress-bar.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { type AgentSetup, type ModelPrice, savePrice, saveSetup } from './data.ts'
import { SAVE, SAVE_FAILED, SAVED } from './texts.ts'

const AMOUNT_INVALID = 'Escreva um valor em reais, como 200 ou 0,15.'

const perConversation = (amount: string) => `${amount} por conversa`

const spent = (amount: string) => `${amount} neste mês`

const WARN_FROM = 0.8

const toneOf = (ratio: number) => (ratio >= 1 ? 'danger' : ratio >= WARN_FROM ? 'warning' : 'primary')

type Rate = 'inputMicros' | 'outputMicros' | 'minuteMicros'
const FREE = { inputMicros: 0, outputMicros: 0, minuteMicros: 0 } satisfies Record<Rate, number>
const RATE_LABEL: Record<Rate, string> = {
  inputMicros: 'R$ por 1 milhão de tokens lidos',
  outputMicros: 'R$ por 1 milhão de tokens escritos',
  minuteMicros: 'R$ por minuto de áudio',
}
const TOKEN_RATES: readonly Rate[] = ['inputMicros', 'outputMicros']
const VOICE_RATES: readonly Rate[] = ['minuteMicros']

const UNPRICED = 'Sem o preço do modelo nada é contado, e o limite não para o agente.'

export function SpendingCard({ agentId, setup }: { agentId: number; setup: AgentSetup }) {
  const {
    model,
    isDemoModel,
    voiceModel,
    monthLimitMicros: limit,
    spentMicros,
    conversations,
    isUnpriced,
  } = setup
  const ratio = limit === null ? 0 : limit === 0 ? 1 : Math.min(1, spentMicros / limit)
  /** A price of 0 counts as a price. */
  const hasNoPrice = model !== null && !isDemoModel && !setup.prices.some((known) => known.model === model)
  const priceOf = (name: string) =>
    setup.prices.find((known) => known.model === name) ?? { ...FREE, model: name }
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
        <PriceForm key={JSON.stringify(priceOf(model))} price={priceOf(model)} rates={TOKEN_RATES} />
      )}
      {voiceModel !== null && (
        <div className="flex flex-col gap-2">
          <p className="text-14 font-medium">Transcrição de voz</p>
          <p className="text-15 wrap-anywhere">{voiceModel}</p>
          <PriceForm
            key={JSON.stringify(priceOf(voiceModel))}
            price={priceOf(voiceModel)}
            rates={VOICE_RATES}
          />
        </div>
      )}
      <LimitForm key={limit} agentId={agentId} limit={limit} />
      <div>
        <p className="flex flex-wrap justify-between gap-x-4 pb-2 text-14">
          <span className="font-medium">{spent(formatCost(spentMicros, isUnpriced || hasNoPrice))}</span>
          {conversations > 0 && !isUnpriced && !hasNoPrice && (
            <span className="text-text-2">
              {perConversation(formatMicros(Math.round(spentMicros / conversations)))}
            </span>
          )}
        </p>
        {hasNoPrice && <p className="pb-2 text-13 font-medium text-warning">{UNPRICED}</p>}
        {limit !== null && <ProgressBar label="Gasto do mês" ratio={ratio} tone={toneOf(ratio)} />}
        <output
          className={classNames(
            'block pt-2 text-13 font-medium empty:hidden',
            ratio >= 1 ? 'text-danger' : 'text-warning',
          )}
        >
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
    onError: (error) => toast(error instanceof PortalError ? error.message : SAVE_FAILED, 'error'),
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
        Avisa em 80%. Em 100% ele para e as conversas ficam com os corretores. Sem limite ele não responde
        sozinho a qualquer hora.
      </p>
    </form>
  )
}

type PriceFormProps = { price: ModelPrice; rates: readonly Rate[] }

function PriceForm({ price, rates }: PriceFormProps) {
  const isOnline = useIsOnline()
  const [texts, setTexts] = useState((): Record<Rate, string> => ({
    inputMicros: toText(price.inputMicros),
    outputMicros: toText(price.outputMicros),
    minuteMicros: toText(price.minuteMicros),
  }))
  const [wrong, setWrong] = useState<Rate>()
  const { mutate, isPending } = useMutation({
    ...savePrice(),
    onSuccess: () => toast(SAVED, 'success'),
    onError: () => toast(SAVE_FAILED, 'error'),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const changed = { ...price }
    for (const rate of rates) {
      const micros = readMicros(texts[rate])
      if (micros === null) return setWrong(rate)
      changed[rate] = micros
    }
    setWrong(undefined)
    mutate(changed)
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-2">
      {rates.map((rate) => (
        <TextField
          key={rate}
          label={RATE_LABEL[rate]}
          inputMode="decimal"
          value={texts[rate]}
          onChange={({ target }) => setTexts({ ...texts, [rate]: target.value })}
          error={wrong === rate && AMOUNT_INVALID}
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
