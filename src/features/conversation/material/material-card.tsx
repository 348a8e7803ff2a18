// One development: its photos, plans, documents and place, chosen by a tap and sent in that order.
import { BookOpen, FileSpreadsheet, FileText, MapPin, Send } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { priceOf, type DevelopmentFileKind } from '#domain/development/development.ts'
import {
  type Choice,
  choicesOf,
  chosenWords,
  expiredOn,
  firstChoice,
  planFacts,
  planPrice,
} from '#domain/development/material.ts'
import type { Material } from '#domain/development/material-index.ts'
import { shortDay, shortReais } from '#domain/development/price-words.ts'
import { formatSize } from '#domain/format.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { ask } from '#ui/feedback/ask.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { Captions } from './captions.tsx'
import { sendMaterial } from './data.ts'
import { Picture } from './picture.tsx'
import { NO_PRICE, SEND_FAILED } from './texts.ts'
import { useChoice } from './use-choice.ts'
import { usePictures, type Pictures } from './use-pictures.ts'

const AT_MOST = 'Até 4 de cada vez.'
/** So many plans are drawn at first. */
const PLANS = 2
/** Pictures of one request. */
const MAX_PICTURES = 200

type MaterialCardProps = {
  /** Null: only a view of what a broker sees; nothing can be sent. */
  lead: Lead | null
  material: Material
  today: string
  /** What was chosen when this development was last sent from this phone. */
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
  const parts = { ...choice, pictures, today }
  return (
    // Keys of the choices inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onKeyDown={onKeyDown}>
      <PriceHead material={material} today={today} />
      <Photos choices={of(choices, 'photo')} {...parts} />
      <Plans choices={of(choices, 'plan')} {...parts} />
      <Part title="Documentos" choices={of(choices, 'document')} {...parts} />
      <Part title="Local" choices={of(choices, 'place')} address={material.address} {...parts} />
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
    </div>
  )
}

const of = <K extends Choice['kind']>(choices: readonly Choice[], kind: K) =>
  choices.filter((choice): choice is Extract<Choice, { kind: K }> => choice.kind === kind)

function PriceHead({ material, today }: { material: Material; today: string }) {
  const price = priceOf(material, today)
  if (!price) return <p className="text-15 text-text-2">{NO_PRICE}</p>
  return (
    <p className="text-14 text-text-2">
      <strong className="text-16 font-semibold text-text">{`a partir de ${shortReais(price.cents)}`}</strong>{' '}
      {price.isExpired ? (
        <span className="font-medium text-warning">{`venceu ${shortDay(price.validUntil)}`}</span>
      ) : (
        `tabela de ${shortDay(price.pricedOn)}, vale até ${shortDay(price.validUntil)}`
      )}
    </p>
  )
}

type PartProps<C extends Choice = Choice> = {
  choices: readonly C[]
  chosen: readonly Choice[]
  nth: (key: string) => number | null
  toggle: (key: string) => void
  pictures: Pictures
  today: string
}

/** 'Fachada, escolhida, 1ª de 3' */
const spoken = (label: string, nth: number | null, count: number) =>
  nth === null ? label : `${label}, escolhida, ${nth}ª de ${count}`

function Photos({ choices, chosen, nth, toggle, pictures }: PartProps<Extract<Choice, { kind: 'photo' }>>) {
  if (choices.length === 0) return null
  return (
    <section aria-label="Fotos">
      <PartTitle title="Fotos" count={choices.length} />
      <ul className="material-photos">
        {choices.map(({ key, label, photo }) => (
          <li key={key}>
            <button
              type="button"
              aria-pressed={nth(key) !== null}
              aria-label={spoken(label, nth(key), chosen.length)}
              onClick={() => toggle(key)}
              className="material-photo"
            >
              <Picture fileId={photo.id} pictures={pictures} look="material-tile" />
              <Badge nth={nth(key)} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Plans({ choices, ...part }: PartProps<Extract<Choice, { kind: 'plan' }>>) {
  const [isWhole, setWhole] = useState(false)
  // A chosen plan is never hidden.
  const shown = choices.filter(({ key }, at) => isWhole || at < PLANS || part.nth(key) !== null)
  if (choices.length === 0) return null
  return (
    <section aria-label="Plantas">
      <PartTitle title="Plantas" count={choices.length}>
        {shown.length < choices.length && (
          <button type="button" onClick={() => setWhole(true)} className="material-more">
            Ver todas
          </button>
        )}
      </PartTitle>
      <ul>
        {shown.map(({ key, label, plan }) => {
          const price = planPrice(plan, part.today)
          return (
            <Line
              key={key}
              of={key}
              label={label}
              facts={planFacts(plan)}
              sign={<Picture fileId={plan.drawingId} pictures={part.pictures} look="material-plan" />}
              end={
                price && (
                  <span className={price.isExpired ? 'text-warning' : 'text-text-2'}>
                    {price.isExpired ? `venceu ${shortDay(price.validUntil)}` : shortReais(price.cents)}
                  </span>
                )
              }
              {...part}
            />
          )
        })}
      </ul>
    </section>
  )
}

const SIGN: Partial<Record<DevelopmentFileKind, typeof FileText>> = {
  tabela: FileSpreadsheet,
  book: BookOpen,
}

type PlainProps = PartProps<Extract<Choice, { kind: 'document' | 'place' }>> & {
  title: string
  address?: string | null
}

function Part({ title, choices, address, ...part }: PlainProps) {
  if (choices.length === 0) return null
  return (
    <section aria-label={title}>
      <PartTitle title={title} />
      <ul>
        {choices.map((choice) => (
          <Line
            key={choice.key}
            of={choice.key}
            label={choice.label}
            facts={
              choice.kind === 'place'
                ? (address ?? '')
                : `PDF · ${formatSize(choice.document.sizeBytes)} · ${shortDay(choice.document.addedOn)}`
            }
            sign={
              <span className="material-sign">
                <Icon of={choice.kind === 'place' ? MapPin : (SIGN[choice.document.kind] ?? FileText)} />
              </span>
            }
            {...part}
          />
        ))}
      </ul>
    </section>
  )
}

type LineProps = Omit<PartProps, 'choices' | 'pictures' | 'today'> & {
  of: string
  label: string
  facts: string
  sign: ReactNode
  end?: ReactNode
}

function Line({ of: key, label, facts, sign, end, chosen, nth, toggle }: LineProps) {
  return (
    <li className="material-line">
      <button
        type="button"
        aria-pressed={nth(key) !== null}
        onClick={() => toggle(key)}
        className="material-row"
      >
        {sign}
        <span className="min-w-0 grow">
          <span className="block text-16 font-medium wrap-anywhere">{label}</span>
          {facts && <span className="block text-14 text-text-2 wrap-anywhere">{facts}</span>}
          <span className="sr-only">{spoken('', nth(key), chosen.length)}</span>
        </span>
        {end && <span className="shrink-0 text-14">{end}</span>}
        <Badge nth={nth(key)} />
      </button>
    </li>
  )
}

const Badge = ({ nth }: { nth: number | null }) => (
  <span className="material-badge" data-chosen={nth !== null} data-nth={nth} />
)

type PartTitleProps = { title: string; count?: number; children?: ReactNode }

function PartTitle({ title, count, children }: PartTitleProps) {
  return (
    <div className="flex items-center">
      <h3 className="material-title grow">
        {title} {count !== undefined && <span className="text-text-3">{count}</span>}
      </h3>
      {children}
    </div>
  )
}
