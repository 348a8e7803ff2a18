// Lists what is published and yet not in the feed for portals, by reason, with what mends it.
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { countOf } from '#domain/count.ts'
import { LEFT_OUT } from '#domain/development/left-out.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Card } from '#ui/primitives/card.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { leftOutQuery, type LeftOutGroup } from './feed-data.ts'

type LeftOutCardProps = { onOpen: (developmentId: number) => void }

export function LeftOutCard({ onOpen }: LeftOutCardProps) {
  const read = useQuery(leftOutQuery())
  if (!read.data) return <FailedRead of={read} title="Não deu para ver o que fica fora do feed." isRow />
  const { total, reasons } = read.data
  if (total === 0) return null
  return (
    <Card title="Fora do feed para portais" note={countOf(total, 'anúncio', 'anúncios')}>
      <p className="px-4 pb-3 text-13 leading-normal text-text-2 lg:px-5">
        Está publicado aqui, mas os portais recusariam.
      </p>
      {reasons.map((group) => (
        <Group key={group.reason} group={group} onOpen={onOpen} />
      ))}
    </Card>
  )
}

function Group({ group: { reason, count, items }, onOpen }: { group: LeftOutGroup } & LeftOutCardProps) {
  const { why, mend } = LEFT_OUT[reason]
  return (
    <section aria-label={why} className="border-t border-border px-4 py-3 lg:px-5">
      <h3 className="flex items-center gap-2 text-14 font-medium">
        <Icon of={TriangleAlert} size={18} className="text-warning" />
        {why}
        <span className="ml-auto text-text-3 tabular-nums">{count}</span>
      </h3>
      <p className="mt-1 text-13 leading-normal text-text-2">{mend}</p>
      <ul className="mt-1 max-h-60 overflow-y-auto text-13">
        {items.map(({ code, name, kind, developmentId }) => (
          <li key={code} className="flex items-center gap-2 py-1 text-text-2">
            <span className="min-w-0 grow wrap-anywhere">
              {[code, name, kind].filter((text) => text !== null).join(' · ')}
            </span>
            {developmentId !== null && (
              <button
                type="button"
                aria-label={`Abrir ${name}`}
                className="min-h-11 px-2 font-medium text-primary"
                onClick={() => onOpen(developmentId)}
              >
                Abrir
              </button>
            )}
          </li>
        ))}
        {count > items.length && (
          <li className="py-1 text-text-3">e mais {countOf(count - items.length, 'anúncio', 'anúncios')}</li>
        )}
      </ul>
    </section>
  )
}
