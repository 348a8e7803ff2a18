// The parts of a development that can be chosen: photos, plans, and papers with the place.
import { BookOpen, FileSpreadsheet, FileText, Globe, MapPin } from 'lucide-react'
import { useState } from 'react'
import type { DevelopmentFileKind } from '#domain/development/development.ts'
import { type Choice, planFacts, planPrice } from '#domain/development/material.ts'
import { shortDay, shortReais } from '#domain/development/price-words.ts'
import { formatSize } from '#domain/format.ts'
import { tremble } from '#ui/feedback/haptics.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { useLongPress } from '../message/use-long-press.ts'
import { Badge, type Chosen, Line, PartTitle, spoken } from './choice-line.tsx'
import { Picture } from './picture.tsx'
import type { Pictures } from './use-pictures.ts'

/** The list renders this many plans until the broker opens all. */
const FIRST_PLANS = 2

type Kind = Choice['kind']
type PartProps<K extends Kind> = Chosen & {
  choices: readonly Extract<Choice, { kind: K }>[]
  pictures: Pictures
  today: string
}

/** `onSee` shows a photo full screen. */
type PhotosProps = PartProps<'photo'> & { onSee: (fileId: number) => void }

export function Photos({ choices, ...part }: PhotosProps) {
  if (choices.length === 0) return null
  return (
    <section aria-label="Fotos">
      <PartTitle title="Fotos" count={choices.length} />
      <ul className="material-photos">
        {choices.map((choice) => (
          <PhotoTile key={choice.key} choice={choice} {...part} />
        ))}
      </ul>
    </section>
  )
}

type PhotoTileProps = Omit<PhotosProps, 'choices'> & { choice: PhotosProps['choices'][number] }

/** A long press or a right click shows the photo full screen. */
function PhotoTile({ choice, chosen, nth, toggle, pictures, onSee }: PhotoTileProps) {
  const { key, label, photo } = choice
  const press = useLongPress(() => {
    tremble('done')
    onSee(photo.id)
  })
  return (
    <li>
      <button
        type="button"
        aria-pressed={nth(key) !== null}
        aria-label={spoken(label, nth(key), chosen.length)}
        title="Segure para ver a foto inteira"
        {...press}
        onClick={() => toggle(key)}
        className="material-photo"
      >
        <Picture fileId={photo.id} pictures={pictures} look="material-tile" />
        <Badge nth={nth(key)} />
      </button>
    </li>
  )
}

export function Plans({ choices, ...part }: PartProps<'plan'>) {
  const [isWhole, setWhole] = useState(false)
  // Chosen plans stay visible in the short list.
  const shown = choices.filter(({ key }, at) => isWhole || at < FIRST_PLANS || part.nth(key) !== null)
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

const OWN_SIGN = { place: MapPin, page: Globe }

type PaperProps = PartProps<'document' | 'place' | 'page'> & {
  title: string
  address?: string | null
}

export function Papers({ title, choices, address, ...part }: PaperProps) {
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
                : choice.kind === 'page'
                  ? `/i/${choice.slug}`
                  : `PDF · ${formatSize(choice.document.sizeBytes)} · ${shortDay(choice.document.addedOn)}`
            }
            sign={
              <span className="material-sign">
                <Icon
                  of={
                    choice.kind === 'document'
                      ? (SIGN[choice.document.kind] ?? FileText)
                      : OWN_SIGN[choice.kind]
                  }
                />
              </span>
            }
            {...part}
          />
        ))}
      </ul>
    </section>
  )
}
