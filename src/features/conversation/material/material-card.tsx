// One development's photos, plans, documents and location; the broker taps items and sends them in that order.
import { Send } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { priceOf } from '#domain/development/development.ts'
import { type Choice, choicesOf, chosenWords, expiredOn, firstChoice } from '#domain/development/material.ts'
import type { Material } from '#domain/development/material-index.ts'
import { shortDay, shortReais } from '#domain/development/price-words.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { ask } from '#ui/feedback/ask.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Captions } from './captions.tsx'
import { sendMaterial } from './data.ts'
import { Papers, Photos, Plans } from './material-parts.tsx'
import { NO_PRICE, SEND_FAILED } from './texts.ts'
import { useChoice } from './use-choice.ts'
import { usePictures } from './use-pictures.ts'
import { WholePhoto } from './whole-photo.tsx'

const AT_MOST = 'Até 4 de cada vez.'
/** The server accepts at most this many picture ids in a request. */
const MAX_PICTURES = 200

type MaterialCardProps = {
  /** Null in the administrator's preview, where nothing can be sent. */
  lead: Lead | null
  material: Material
  today: string
  /** The items that were chosen when this phone last sent this development's material. */
  sentLast: readonly string[]
  onBefore: () => void
  onSent: () => void
}

export function MaterialCard({ lead, material, today, sentLast, onBefore, onSent }: MaterialCardProps) {
  const choices = choicesOf(material)
  const choice = useChoice(material, { choices, first: firstChoice(choices, sentLast), today })
  const { chosen, isFull, things } = choice
  const pictures = usePictures(
    [
      ...material.photos.map(({ id }) => id),
      ...material.plans.flatMap(({ drawingId }) => drawingId ?? []),
    ].slice(0, MAX_PICTURES),
  )
  const isOff = lead === null || chosen.length === 0 || lead.isOptedOut

  const sendNow = (withPrice: boolean) => {
    if (!lead) return
    onBefore()
    sendMaterial(lead, material, things(withPrice)).catch(() => toast(SEND_FAILED, 'error'))
    onSent()
  }
  const send = () => {
    if (isOff) return
    const day = choice.wroteAll ? null : expiredOn(material, chosen, today)
    if (day === null) return sendNow(true)
    ask({
      question: `O preço venceu em ${shortDay(day)}. Enviar sem o preço?`,
      consequence: 'As legendas que você escreveu vão como estão.',
      action: { label: 'Enviar sem preço', run: () => sendNow(false), tone: 'primary' },
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && event.ctrlKey) send()
  }
  const [seen, setSeen] = useState<number>()
  const parts = { ...choice, pictures, today }
  return (
    // Keys of the choices inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onKeyDown={onKeyDown} className="material-card">
      <PriceHead material={material} today={today} />
      <Photos choices={of(choices, 'photo')} onSee={setSeen} {...parts} />
      <Plans choices={of(choices, 'plan')} {...parts} />
      <Papers title="Documentos" choices={of(choices, 'document')} {...parts} />
      <Papers title="Local" choices={of(choices, 'place')} address={material.address} {...parts} />
      <Papers title="Página na internet" choices={of(choices, 'page')} {...parts} />
      <div className="material-foot">
        <Captions things={things()} onWrite={choice.write} />
        <Button size="large" icon={Send} disabled={isOff} onClick={send}>
          {lead?.isOptedOut
            ? 'Ele pediu para não receber.'
            : chosen.length === 0
              ? 'Escolha o que enviar'
              : `Enviar ${chosen.length}`}
        </Button>
        <p aria-live="polite" className={`material-hint ${isFull ? 'text-warning' : 'text-text-2'}`}>
          {isFull ? AT_MOST : `${chosenWords(chosen)} ${AT_MOST}`}
        </p>
      </div>
      <WholePhoto fileId={seen} small={pictures.of(seen)} onClose={() => setSeen(undefined)} />
    </div>
  )
}

const of = <K extends Choice['kind']>(choices: readonly Choice[], kind: K) =>
  choices.filter((choice): choice is Extract<Choice, { kind: K }> => choice.kind === kind)

function PriceHead({ material, today }: { material: Material; today: string }) {
  const price = priceOf(material, today)
  if (!price) return <p className="text-15 text-text-2">{NO_PRICE}</p>
  return (
    <p className="material-price text-14 text-text-2">
      <strong className="text-16 font-semibold text-text">{`a partir de ${shortReais(price.cents)}`}</strong>{' '}
      {price.isExpired ? (
        <span className="font-medium text-warning">{`venceu ${shortDay(price.validUntil)}`}</span>
      ) : (
        `tabela de ${shortDay(price.pricedOn)}, vale até ${shortDay(price.validUntil)}`
      )}
    </p>
  )
}
