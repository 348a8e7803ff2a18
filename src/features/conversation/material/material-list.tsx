// The list of developments: the lead's own first, then all, found by any of their search keys.
import { Building2, ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { findMaterials, stageWords } from '#domain/development/material.ts'
import type { Material } from '#domain/development/material-index.ts'
import { priceOf } from '#domain/development/development.ts'
import { shortDay, shortReais } from '#domain/development/price-words.ts'
import { State } from '#ui/feedback/state.tsx'
import { SearchBox } from '#ui/forms/search-box.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { Picture } from './picture.tsx'
import { NO_PRICE } from './texts.ts'
import { usePictures, type Pictures } from './use-pictures.ts'

/** The list renders this many developments; the search finds the others. */
const SHOWN = 60

const noneWith = (typed: string) => `Nenhum empreendimento com “${typed}”`

type MaterialListProps = {
  materials: readonly Material[]
  /** The developments that the lead is interested in. */
  own: readonly Material[]
  today: string
  /** Shown below the search. */
  strip: ReactNode
  onOpen: (id: number) => void
}

export function MaterialList({ materials, own, today, strip, onOpen }: MaterialListProps) {
  const [typed, setTyped] = useState('')
  const [isWhole, setWhole] = useState(false)
  const found = findMaterials(materials, typed)
  const isSearching = typed.trim() !== ''
  const first = isSearching ? [] : own
  const rest = found.filter((material) => !first.includes(material))
  const shown = isWhole ? rest : rest.slice(0, SHOWN)
  const pictures = usePictures(
    [...new Set([...first, ...shown].flatMap(({ photos }) => photos[0]?.id ?? []))].slice(0, 200),
  )
  if (materials.length === 0)
    return (
      <State
        kind="empty"
        icon={Building2}
        title="Nenhum material ainda"
        hint="O administrador cadastra os empreendimentos."
      />
    )
  return (
    <>
      <div className="material-search">
        <SearchBox label="Nome ou bairro" text={typed} onText={setTyped} />
      </div>
      {strip}
      {first.length > 0 && <Rows title="Deste lead" materials={first} {...{ today, pictures, onOpen }} />}
      {shown.length > 0 || first.length > 0 ? (
        <Rows title="Todos" count={found.length} materials={shown} {...{ today, pictures, onOpen }} />
      ) : (
        <State kind="empty" icon={Building2} title={noneWith(typed.trim())}>
          <Button variant="soft" onClick={() => setTyped('')}>
            Limpar busca
          </Button>
        </State>
      )}
      {shown.length < rest.length && (
        <Button variant="soft" onClick={() => setWhole(true)}>
          Mostrar todos
        </Button>
      )}
    </>
  )
}

type RowsProps = Omit<MaterialListProps, 'own' | 'strip'> & {
  title: string
  count?: number
  pictures: Pictures
}

function Rows({ title, count, materials, today, pictures, onOpen }: RowsProps) {
  return (
    <section aria-label={title} className="material-rows">
      <h3 className="material-title">
        {title} {count !== undefined && <span className="text-text-3">{count}</span>}
      </h3>
      <ul>
        {materials.map((material) => (
          <li key={material.id} className="material-line">
            <button type="button" onClick={() => onOpen(material.id)} className="material-row">
              <Picture fileId={material.photos[0]?.id} pictures={pictures} />
              <span className="min-w-0 grow">
                <span className="block text-16 font-semibold wrap-anywhere">{material.name}</span>
                <span className="block text-14 text-text-2">{stageWords(material, false)}</span>
                <PriceLine material={material} today={today} />
              </span>
              <Icon of={ChevronRight} className="shrink-0 text-text-2" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function PriceLine({ material, today }: { material: Material; today: string }) {
  const price = priceOf(material, today)
  if (!price) return <span className="block text-14">{NO_PRICE}</span>
  return (
    <span className="block text-14">
      {`a partir de ${shortReais(price.cents)} · `}
      {price.isExpired ? (
        <span className="font-medium whitespace-nowrap text-warning">{`venceu ${shortDay(price.validUntil)}`}</span>
      ) : (
        `em ${shortDay(price.pricedOn)}`
      )}
    </span>
  )
}
